//! The Vulkan device, or the reason why there is no such device.

use cubecl::Device;
use cubecl::device::WgpuDeviceKind;
use cubecl::prelude::*;
use cubecl::std::tensor::TensorHandle;

/// What a program says where there is no device.
pub const NONE: &str = "skipped: no Vulkan device. Debian and Ubuntu have one in software: \
     apt-get install mesa-vulkan-drivers";

/// A device that runs CubeCL's kernels through wgpu's Vulkan.
#[derive(Clone)]
pub struct Gpu {
    client: Client,
    name: String,
}

impl Gpu {
    /// The first Vulkan device, a GPU before a software one. Without one, says so and how
    /// to get one.
    #[must_use]
    pub fn find() -> Option<Self> {
        let kinds = [
            WgpuDeviceKind::DiscreteGpu(0),
            WgpuDeviceKind::IntegratedGpu(0),
            WgpuDeviceKind::VirtualGpu(0),
            WgpuDeviceKind::Cpu,
        ];
        let mut devices = kinds.into_iter().map(Device::vulkan);
        let Some(device) = devices.find_map(Result::ok) else {
            println!("{NONE}");
            return None;
        };
        let client = device.client();
        let name = client.properties().identity.name.clone();
        println!("device: {name}");
        Some(Self { client, name })
    }

    /// CubeCL's handle of it.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// As the driver names it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it computes with this element; if not, says that a program's cases are left out.
    #[must_use]
    pub fn has<F: Scalar>(&self, name: &str) -> bool {
        let has = !F::supported_uses(&self.client).is_empty();
        if !has {
            println!("skipped: {} has no {name}", self.name);
        }
        has
    }

    /// Bytes of shared memory that a block may have.
    #[must_use]
    pub fn shared_memory(&self) -> usize {
        self.client.properties().hardware.max_shared_memory_size
    }

    /// A tensor of these elements.
    #[must_use]
    pub fn tensor<F: CubeElement + CubePrimitive>(
        &self,
        shape: &[usize],
        data: &[F],
    ) -> TensorHandle {
        let handle = self.client.create_from_slice(F::as_bytes(data));
        TensorHandle::new_contiguous(shape.to_vec(), handle, F::cube_type())
    }

    /// Its elements.
    #[must_use]
    pub fn read<F: CubeElement>(&self, tensor: &TensorHandle) -> Vec<F> {
        F::from_bytes(&self.client.read_one_unchecked(tensor.handle.clone())).to_vec()
    }
}

impl core::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Gpu").field(&self.name).finish()
    }
}
