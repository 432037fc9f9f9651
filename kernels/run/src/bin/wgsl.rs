//! The GEMM as WGSL text, run by wgpu alone: addresses, coordinates and masks are functions that
//! `tiledesc::emit` wrote for the shape.

use cubecl::future::block_on;
use cubecl::wgpu::wgpu::util::{BufferInitDescriptor, DeviceExt};
use cubecl::wgpu::wgpu::{self, Backends, BufferUsages};
use run::gemm::{Fetch, Held, ReadA, ReadB};
use run::{Progress, Table};
use std::fmt::Write;
use tiledesc::emit::{self, EmitError, Expression};
use tiledesc::prelude::*;
use tiledesc::{Descriptor, Plan};
use tiledesc_cubecl::{Touch, coordinate_in, whole_vectors};

layout! {
    type Plain = recipe::RowMajor<F32, M<32>, K<32>>;
    type Padded = recipe::RowPad<F32, M<32>, K<32>, Padding<4>>;
    type Xor = recipe::GemmXor<F32, M<32>, K<32>, KPack<4>>;
}
type Moves = Fetch<U32, U32>;
type Rows = ReadA<U32, U32>;
type Columns = ReadB<U32, U32>;
type Sums = Held<U32, U32>;
synthesize! {
    type FoundA = F32 [32, 32] on gfx942: write ds_write_b128 by Moves, read ds_read_b128 by Rows;
    type FoundB = F32 [32, 32] on gfx942: write ds_write_b128 by Moves, read ds_read_b128 by Columns;
}

type AnyError = Box<dyn core::error::Error>;

/// `name_row` and `name_column` of a lane's first element, and how far its others are from that.
fn coordinates<T: Distribution>(text: &mut String, name: &str) -> Result<Vec<[u32; 2]>, AnyError> {
    let numbers = [Expression::coordinate(0, 4), Expression::coordinate(1, 64)];
    let first = coordinate_in::<T, _, 2>(&numbers, 0);
    for (index, what) in first.iter().zip(["row", "column"]) {
        *text += &emit::WGSL.function(&format!("{name}_{what}"), &["wave", "lane"], index)?;
    }
    let encoding = T::ENCODING?;
    let further = |element: u32| encoding.coordinate(0, 0, element).map(|at| [at.at(0), at.at(1)]);
    Ok((0..encoding.elements()).map(further).collect::<Result<_, _>>()?)
}

/// `name_at` and `name_valid` of a matrix of a size, in tiles of 32 by 32.
fn window(text: &mut String, name: &str, rows: usize, columns: usize) -> Result<(), AnyError> {
    let view = Naive::rows(rows as u32, columns as u32).padded_to([32, 32])?;
    let lengths = view.plan()?.lengths();
    let index = [0, 1].map(|d| Expression::coordinate(d, lengths.at(d)));
    let (offset, valid) = view.masked(index);
    *text += &emit::WGSL.function(&format!("{name}_at"), &["m", "k"], &offset)?;
    let mut all = String::from("true");
    for (i, (value, bound)) in valid.comparisons().iter().enumerate() {
        *text += &emit::WGSL.function(&format!("{name}_bound{i}"), &["m", "k"], value)?;
        write!(all, " && {name}_bound{i}(m, k) < {bound}u")?;
    }
    writeln!(text, "fn {name}_valid(m: u32, k: u32) -> bool {{\n    return {all};\n}}")?;
    Ok(())
}

/// The kernel of a shape, for tiles of A and B of two layouts.
/// Refused where a layout does not keep vectors of 4.
fn kernel(a: &Tile, b: &Tile, [m, n, k]: [usize; 3]) -> Result<String, AnyError> {
    assert!(
        [a, b].iter().all(|tile| whole_vectors(&tile.plan).is_multiple_of(4)),
        "no vectors of 4"
    );
    let mut text = String::new();
    text += &(a.emit)("a_lds")?;
    text += &(b.emit)("b_lds")?;
    let moved = coordinates::<Moves>(&mut text, "move")?;
    let rows = coordinates::<Rows>(&mut text, "a")?;
    let columns = coordinates::<Columns>(&mut text, "b")?;
    let held = coordinates::<Sums>(&mut text, "c")?;
    window(&mut text, "a", m, k)?;
    window(&mut text, "b", n, k)?;
    window(&mut text, "c", m, n)?;
    let (size_a, size_b, steps) = (a.plan.element_space(), b.plan.element_space(), k.div_ceil(32));
    let [mut fetch, mut store, mut sum, mut write_c] = [const { String::new() }; 4];
    for (i, [row, column]) in moved.iter().step_by(4).enumerate() {
        writeln!(fetch, "    next_a[{i}] = load_a(m0 + row + {row}u, next + column + {column}u);")?;
        writeln!(fetch, "    next_b[{i}] = load_b(n0 + row + {row}u, next + column + {column}u);")?;
        let at = format!("(row + {row}u, column + {column}u)");
        writeln!(store, "    tile_a[(there * {size_a}u + a_lds{at}) / 4u] = next_a[{i}];")?;
        writeln!(store, "    tile_b[(there * {size_b}u + b_lds{at}) / 4u] = next_b[{i}];")?;
    }
    // A unit reads whole rows: its elements at column 0 say which.
    let first = |all: &[[u32; 2]]| -> Vec<u32> {
        all.iter().filter(|at| at[1] == 0).map(|at| at[0]).collect()
    };
    for (i, row) in first(&rows).iter().enumerate() {
        for (j, column) in first(&columns).iter().enumerate() {
            let at = i * first(&columns).len() + j;
            writeln!(
                sum,
                "            sums[{at}] += dot(tile_a[(here * {size_a}u + a_lds(row_a + {row}u, k)) / 4u], \
                 tile_b[(here * {size_b}u + b_lds(row_b + {column}u, k)) / 4u]);"
            )?;
        }
    }
    for (i, [row, column]) in held.iter().enumerate() {
        writeln!(
            write_c,
            "    store_c(m0 + row_c + {row}u, n0 + column_c + {column}u, sums[{i}]);"
        )?;
    }
    let (count, vectors) = (held.len(), moved.len() / 4);
    Ok(format!(
        "{text}
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> tile_a: array<vec4<f32>, {}>;
var<workgroup> tile_b: array<vec4<f32>, {}>;
var<private> next_a: array<vec4<f32>, {vectors}>;
var<private> next_b: array<vec4<f32>, {vectors}>;

fn load_a(m: u32, k: u32) -> vec4<f32> {{
    var four: vec4<f32>;
    for (var i = 0u; i < 4u; i++) {{
        if a_valid(m, k + i) {{ four[i] = a[a_at(m, k + i)]; }}
    }}
    return four;
}}
fn load_b(m: u32, k: u32) -> vec4<f32> {{
    var four: vec4<f32>;
    for (var i = 0u; i < 4u; i++) {{
        if b_valid(m, k + i) {{ four[i] = b[b_at(m, k + i)]; }}
    }}
    return four;
}}
fn store_c(m: u32, k: u32, value: f32) {{
    if c_valid(m, k) {{ c[c_at(m, k)] = value; }}
}}
fn fetch(m0: u32, n0: u32, next: u32, row: u32, column: u32) {{
{fetch}}}
fn store(there: u32, row: u32, column: u32) {{
{store}}}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) unit: u32, @builtin(workgroup_id) block: vec3<u32>) {{
    let wave = unit / 64u;
    let lane = unit % 64u;
    let m0 = block.y * 32u;
    let n0 = block.x * 32u;
    let row = move_row(wave, lane);
    let column = move_column(wave, lane);
    let row_a = a_row(wave, lane);
    let row_b = b_row(wave, lane);
    let row_c = c_row(wave, lane);
    let column_c = c_column(wave, lane);
    var sums: array<f32, {count}>;
    fetch(m0, n0, 0u, row, column);
    store(0u, row, column);
    workgroupBarrier();
    for (var step = 0u; step < {steps}u; step++) {{
        let here = step % 2u;
        let more = step + 1u < {steps}u;
        if more {{ fetch(m0, n0, (step + 1u) * 32u, row, column); }}
        for (var k = 0u; k < 32u; k += 4u) {{
{sum}        }}
        if more {{ store(1u - here, row, column); }}
        workgroupBarrier();
    }}
{write_c}}}
",
        2 * size_a / 4,
        2 * size_b / 4
    ))
}

/// A layout of a tile: its plan, and its offset as text.
struct Tile {
    plan: Plan,
    emit: fn(&str) -> Result<String, EmitError>,
}

macro_rules! tile {
    ($L:ty) => {
        Tile { plan: <$L>::PLAN, emit: |name| <$L>::emit(emit::WGSL, name, ["m", "k"]) }
    };
}

struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    name: String,
}

impl Gpu {
    fn find() -> Result<Option<Self>, AnyError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: Backends::VULKAN,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapters = block_on(instance.enumerate_adapters(Backends::VULKAN));
        let software =
            |adapter: &&wgpu::Adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let Some(adapter) = adapters.iter().min_by_key(software) else { return Ok(None) };
        let (device, queue) = block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;
        Ok(Some(Self { device, queue, name: adapter.get_info().name }))
    }

    /// Runs a kernel of blocks of two inputs and one output of so many elements.
    fn run(
        &self,
        kernel: &str,
        blocks: [usize; 2],
        inputs: [&[f32]; 2],
        count: usize,
    ) -> Result<Vec<f32>, AnyError> {
        let bytes =
            |data: &[f32]| data.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let input = |data| {
            let contents = &bytes(data);
            self.device.create_buffer_init(&BufferInitDescriptor {
                label: None,
                contents,
                usage: BufferUsages::STORAGE,
            })
        };
        let [a, b] = inputs.map(input);
        let size = 4 * count as u64;
        let buffer =
            |usage| wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let c = self.device.create_buffer(&buffer(BufferUsages::STORAGE | BufferUsages::COPY_SRC));
        let back =
            self.device.create_buffer(&buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST));
        let source = wgpu::ShaderSource::Wgsl(kernel.into());
        let module =
            self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let entry = |(binding, buffer): (u32, _)| {
            let whole = wgpu::BufferBinding { buffer, offset: 0, size: None };
            wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(whole) }
        };
        let entries = [(0, &a), (1, &b), (2, &c)].map(entry);
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(blocks[1] as u32, blocks[0] as u32, 1);
        }
        encoder.copy_buffer_to_buffer(&c, 0, &back, 0, size);
        self.queue.submit([encoder.finish()]);
        back.map_async(wgpu::MapMode::Read, .., |_| ());
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        let view = back.get_mapped_range(..)?;
        let (words, _) = view.as_chunks::<4>();
        Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    }
}

fn main() -> Result<(), AnyError> {
    let Some(gpu) = Gpu::find()? else {
        println!("{}", run::device::NONE);
        return Ok(());
    };
    println!("device: {}", gpu.name);
    let shapes = [[32, 32, 32], [70, 50, 36], [33, 65, 17], [1, 3, 130], [129, 66, 98]];
    let layouts = [
        ("row-major", tile!(Plain), tile!(Plain)),
        ("padded", tile!(Padded), tile!(Padded)),
        ("xor", tile!(Xor), tile!(Xor)),
        ("synthesized", tile!(FoundA), tile!(FoundB)),
    ];
    let mut progress = Progress::new("wgsl", shapes.len() * layouts.len());
    for (name, a, b) in &layouts {
        for shape @ [m, n, k] in shapes {
            let value = |i: usize, by: usize| (i * by % 5) as f32 - 2.0;
            let fill = |count: usize, by| (0..count).map(|i| value(i, by)).collect::<Vec<f32>>();
            let inputs = [&fill(m * k, 7)[..], &fill(n * k, 3)];
            let got =
                gpu.run(&kernel(a, b, shape)?, [m.div_ceil(32), n.div_ceil(32)], inputs, m * n)?;
            for (i, got) in got.into_iter().enumerate() {
                let (row, column) = (i / n, i % n);
                let naive: f32 =
                    (0..k).map(|at| value(row * k + at, 7) * value(column * k + at, 3)).sum();
                assert_eq!(got, naive, "wgsl {name}, M, N, K = {shape:?}: C[{row}][{column}]");
            }
            progress.step();
        }
        println!("wgsl, {name}: {} shapes, exact", shapes.len());
    }
    if let Some(mut table) = Table::of_device(&gpu.name, "gfx942") {
        for (name, a, b) in &layouts {
            let touches = [Touch::write::<Moves>("store A", 4), Touch::read::<Rows>("read A", 4)];
            table.layout(name, &a.plan, 32, &touches);
            let touches =
                [Touch::write::<Moves>("store B", 4), Touch::read::<Columns>("read B", 4)];
            table.layout(name, &b.plan, 32, &touches);
        }
        print!("{table}");
    }
    Ok(())
}
