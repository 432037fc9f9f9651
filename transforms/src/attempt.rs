//! `?` in a `const fn`, which has none.

/// The value of a `Result`, or its error returned; with `=> Wrap`, wrapped.
#[doc(hidden)]
#[macro_export]
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
    ($result:expr => $Wrap:path) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err($Wrap(error)),
        }
    };
}
