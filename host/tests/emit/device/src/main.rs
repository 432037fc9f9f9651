//! Runs compute shaders of one WGSL file on a Vulkan device: a program of its own, so that
//! wgpu's 80 packages are built only where there is such a device.
//!
//! ```text
//!   device shader.wgsl offsets.bin first:8192 second:4096
//! ```
//!
//! Each entry point runs once for each of so many words and writes them to the storage buffer
//! `@group(0) @binding(0)`; all words go to `offsets.bin`, in the order of the arguments and in
//! the byte order of the machine. It exits with 2 if there is no device.

use std::future::Future;
use std::pin::pin;
use std::process::exit;
use std::task::{Context, Poll, Waker};
use wgpu::{BufferUsages, Device, MapMode, PollType, Queue, ShaderModule};

/// Threads in a workgroup; the shader says the same.
const WORKGROUP: u32 = 64;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [shader, out, entries @ ..] = &arguments[..] else {
        panic!("device SHADER OUT ENTRY:WORDS..")
    };
    let (device, queue) = device().unwrap_or_else(|error| {
        eprintln!("{error}");
        exit(2)
    });
    let source = std::fs::read_to_string(shader).expect("a shader");
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let mut offsets = Vec::new();
    for entry in entries {
        let (name, words) = entry.split_once(':').expect("ENTRY:WORDS");
        offsets.extend(run(&device, &queue, &module, name, words.parse().expect("a number")));
    }
    std::fs::write(out, offsets).expect("a file to write");
}

/// The first Vulkan device.
fn device() -> Result<(Device, Queue), Box<dyn std::error::Error>> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::VULKAN,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapter = now(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    println!("{}", adapter.get_info().name);
    Ok(now(adapter.request_device(&wgpu::DeviceDescriptor::default()))?)
}

/// The words that an entry point writes.
fn run(device: &Device, queue: &Queue, module: &ShaderModule, name: &str, words: u32) -> Vec<u8> {
    let size = u64::from(words) * 4;
    let buffer = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    };
    let computed = buffer(BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let read = buffer(BufferUsages::COPY_DST | BufferUsages::MAP_READ);
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module,
        entry_point: Some(name),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: computed.as_entire_binding() }],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &bindings, &[]);
    pass.dispatch_workgroups(words.div_ceil(WORKGROUP), 1, 1);
    drop(pass);
    encoder.copy_buffer_to_buffer(&computed, 0, &read, 0, size);
    queue.submit([encoder.finish()]);
    read.map_async(MapMode::Read, .., |mapped| mapped.expect("a readable buffer"));
    device.poll(PollType::wait_indefinitely()).expect("the device finishes");
    read.get_mapped_range(..).expect("a readable buffer").to_vec()
}

/// wgpu's futures are ready at once where it is not a browser.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the device is not there at once"),
    }
}
