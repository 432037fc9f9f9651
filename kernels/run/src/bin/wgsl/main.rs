//! The GEMM as WGSL text, run by wgpu alone: addresses with their immediates, windows and masks are
//! functions that `tiledesc_host::emit` writes before it.

use cubecl::future::block_on;
use cubecl::wgpu::wgpu::util::{BufferInitDescriptor, DeviceExt};
use cubecl::wgpu::wgpu::{self, Backends, BufferUsages};
use run::gemm::{Fetch, Held, ReadA, ReadB};
use run::{Progress, Table};
use tiledesc::chip::gfx942;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{Plan, access::Placed};
use tiledesc_cubecl::Touch;
use tiledesc_host::emit::{self, Header};

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

/// The kernel of two layouts: what `emit` writes for them, and the text that calls it.
fn kernel(a: &Plan, b: &Plan) -> Result<String, AnyError> {
    let moves = Lanes::of_distribution::<Moves>();
    let (rows, columns) = (Lanes::of_distribution::<Rows>(), Lanes::of_distribution::<Columns>());
    // Its rows of banks say nothing of addresses: any instruction of 16 bytes has these.
    let (write, read) = (&gfx942::ds_write_b128, &gfx942::ds_read_b128);
    let mut header = Header::new(emit::WGSL);
    header.plan("A", &["m", "k"], a, Some(32))?.plan("B", &["n", "k"], b, Some(32))?;
    header.accesses("store_a", &Placed::new(a, 32, moves, write)?)?;
    header.accesses("store_b", &Placed::new(b, 32, moves, write)?)?;
    header.accesses("read_a", &Placed::new(a, 32, rows, read)?)?;
    header.accesses("read_b", &Placed::new(b, 32, columns, read)?)?;
    // K need be no multiple of 4: element by element.
    header.rows("rows", &["row", "k"], &Moves::ENCODING?, 1)?;
    header.rows("sum", &["m", "n"], &Sums::ENCODING?, 1)?;
    Ok(header.file("gemm", &[]) + include_str!("gemm.wgsl"))
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

    /// C of the matrices A and B, of a size.
    fn run(
        &self,
        kernel: &str,
        inputs: [&[f32]; 2],
        [m, n, k]: [usize; 3],
    ) -> Result<Vec<f32>, AnyError> {
        let bytes =
            |data: &[f32]| data.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let given = |contents: &[u8], usage| {
            let label = None;
            self.device.create_buffer_init(&BufferInitDescriptor { label, contents, usage })
        };
        let [a, b] = inputs.map(|data| given(&bytes(data), BufferUsages::STORAGE));
        let lengths: Vec<u8> =
            [m, n, k, 0].iter().flat_map(|l| (*l as u32).to_le_bytes()).collect();
        let lengths = given(&lengths, BufferUsages::UNIFORM);
        let size = 4 * (m * n) as u64;
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
        let entries = [(0, &a), (1, &b), (2, &c), (3, &lengths)].map(entry);
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
            pass.dispatch_workgroups(n.div_ceil(32) as u32, m.div_ceil(32) as u32, 1);
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
        ("row-major", Plain::PLAN, Plain::PLAN),
        ("padded", Padded::PLAN, Padded::PLAN),
        ("xor", Xor::PLAN, Xor::PLAN),
        ("synthesized", FoundA::PLAN, FoundB::PLAN),
    ];
    let mut progress = Progress::new("wgsl", shapes.len() * layouts.len());
    for (name, a, b) in &layouts {
        let kernel = kernel(a, b)?;
        for shape @ [m, n, k] in shapes {
            let value = |i: usize, by: usize| (i * by % 5) as f32 - 2.0;
            let fill = |count: usize, by| (0..count).map(|i| value(i, by)).collect::<Vec<f32>>();
            let inputs = [&fill(m * k, 7)[..], &fill(n * k, 3)];
            for (i, got) in gpu.run(&kernel, inputs, shape)?.into_iter().enumerate() {
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
            table.layout(name, a, 32, &touches);
            let touches =
                [Touch::write::<Moves>("store B", 4), Touch::read::<Columns>("read B", 4)];
            table.layout(name, b, 32, &touches);
        }
        print!("{table}");
    }
    Ok(())
}
