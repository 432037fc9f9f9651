//! Files of a checkout, as annotations and code scanning name them: relative to the folder that a run began in.
//!
//! ```text
//!   /build/gemm/src/gemm.hip                      in /build/gemm: src/gemm.hip
//!   /opt/rocm/include/hip/amd_warp_functions.h    not of the checkout: the call that led there is named
//! ```

use crate::report::audit::Frame;
use std::path::{Component, Path};

/// A line of a file of the checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) path: String,
    pub(crate) line: u32,
}

/// The lines of the checkout that frames name, the innermost first.
pub(crate) fn named(frames: &[Frame]) -> Vec<Named> {
    let folder = std::env::current_dir().unwrap_or_default();
    frames.iter().filter_map(|one| named_in(&folder, one)).collect()
}

fn named_in(folder: &Path, frame: &Frame) -> Option<Named> {
    let path = Path::new(&frame.path);
    let inside = if path.is_absolute() { path.strip_prefix(folder).ok()? } else { path };
    let parts: Option<Vec<_>> = inside
        .components()
        .filter(|one| *one != Component::CurDir)
        .map(|one| match one {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let path = parts.filter(|parts| !parts.is_empty())?.join("/");
    Some(Named { path, line: frame.line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_checkout() {
        let of = |path: &str| {
            let frame = Frame { path: path.to_string(), line: 7 };
            named_in(Path::new("/home/me/gemm"), &frame).map(|one| one.path)
        };
        assert_eq!(of("/home/me/gemm/src/gemm.hip").as_deref(), Some("src/gemm.hip"));
        assert_eq!(of("./src/gemm.hip").as_deref(), Some("src/gemm.hip"));
        assert_eq!(of("gemm.hip").as_deref(), Some("gemm.hip"));
        for path in
            ["/opt/rocm/hip.h", "../other/gemm.hip", "/home/me/gemm", "", "/home/me/gemm/../x.hip"]
        {
            assert_eq!(of(path), None, "{path}");
        }
    }
}
