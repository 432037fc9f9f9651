//! How many operations an address is in the WGSL that CubeCL makes of a kernel: through our layout,
//! by `cubecl_std`'s `Swizzle`, and written by hand; and in what `emit` writes.
//!
//! CubeCL tells its shaders to a log that an environment variable names, so the program runs itself
//! with one and reads that.

use cubecl::prelude::*;
use cubecl::std::Swizzle;
use run::{Gpu, device};
use std::collections::BTreeMap;
use std::process::Command;
use tiledesc::prelude::*;
use tiledesc_cubecl::Tiled;
use tiledesc_host::emit::{self, Emit};

layout! {
    /// 128 rows of 64 halves, chunks of 16 bytes xor-ed by the row: `Swizzle(3, 4, 3)` in bytes.
    type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}

/// A kernel that writes one address of a coordinate that it reads.
macro_rules! kernels {
    ($($name:ident($m:ident, $k:ident) $address:expr;)*) => {$(
        #[cube(launch)]
        fn $name(coordinates: &Tensor<u32>, output: &mut Tensor<u32>) {
            let ($m, $k) = (coordinates[0], coordinates[1]);
            output[0] = $address;
        }
    )*};
}

kernels! {
    nothing(m, k) m | k;
    through_tiledesc(m, k) <Xor as Tiled<(u32, u32)>>::element_at((m, k));
    through_cubecl_std(m, k) Swizzle::new(3u32, 4u32, 3i32).apply(m * 64 + k, 2usize);
    by_hand(m, k) (m << 6) + (k ^ ((m & 7) << 3));
}

/// Runs the kernels at a coordinate; whether all of them agree.
fn run(gpu: &Gpu, at: [u32; 2]) -> [u32; 3] {
    let launch = |kernel: fn(&Client, CubeCount, CubeDim, TensorArg, TensorArg)| {
        let output = gpu.tensor(&[1], &[u32::MAX]);
        let input = gpu.tensor(&[2], &at).into_arg();
        kernel(
            gpu.client(),
            CubeCount::Static(1, 1, 1),
            CubeDim::new_1d(1),
            input,
            output.clone().into_arg(),
        );
        gpu.read::<u32>(&output)[0]
    };
    launch(nothing::launch);
    [launch(through_tiledesc::launch), launch(through_cubecl_std::launch), launch(by_hand::launch)]
}

/// Binary operations of each kernel of a log, by the name of its function.
fn operations(log: &str) -> BTreeMap<String, usize> {
    let (mut counts, mut kernel) = (BTreeMap::new(), String::new());
    for line in log.lines() {
        if let Some((name, _)) = line.strip_prefix("fn ").and_then(|rest| rest.split_once('(')) {
            kernel = name.to_owned();
        }
        *counts.entry(kernel.clone()).or_insert(0) += operators(line);
    }
    counts
}

fn operators(line: &str) -> usize {
    let is_operator =
        |word: &&str| ["+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>"].contains(word);
    line.split_whitespace().filter(is_operator).count()
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    if std::env::args().any(|argument| argument == "run") {
        if let Some(gpu) = Gpu::find() {
            println!("at (19, 33): {:?}", run(&gpu, [19, 33]));
        }
        return Ok(());
    }
    let log = std::env::temp_dir().join(format!("tiledesc-count-{}.log", std::process::id()));
    let child =
        Command::new(std::env::current_exe()?).arg("run").env("CUBECL_DEBUG_LOG", &log).output()?;
    let said = String::from_utf8(child.stdout)?;
    print!("{said}");
    if said.contains(device::NONE) {
        return Ok(());
    }
    let offset = Xor::offset([19, 33]);
    assert!(said.contains(&format!("{:?}", [offset; 3])), "the kernels do not agree on {offset}");
    let text = std::fs::read_to_string(&log)?;
    std::fs::remove_file(&log)?;
    let counts = operations(&text);
    let of = |name: &str| {
        let found = counts.iter().find(|(kernel, _)| kernel.starts_with(name));
        found.map(|(_, count)| *count).ok_or_else(|| format!("no kernel {name} in CubeCL's log"))
    };
    // What every kernel does beside its address.
    let other = of("nothing")? - 1;
    println!("operations of an address of a 128 x 64 tile of halves, in WGSL:");
    for name in ["through_tiledesc", "through_cubecl_std", "by_hand"] {
        println!("  {:20} {}", name.replace('_', " "), of(name)? - other);
    }
    let emitted = Xor::default().emit(emit::WGSL, "at", ["m", "k"])?;
    let line = emitted.lines().find(|line| line.contains("return")).unwrap_or_default();
    println!("  {:20} {}", "emit", operators(line));
    Ok(())
}
