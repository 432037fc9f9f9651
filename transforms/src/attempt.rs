//! The `?` of a `const fn`, where the operator is not stable.

/// The value of a `Result`, or its error returned; with `=> Wrap`, wrapped.
#[doc(hidden)]
#[macro_export]
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(error) => return ::core::result::Result::Err(error),
        }
    };
    ($result:expr => $Wrap:path) => {
        match $result {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(error) => return ::core::result::Result::Err($Wrap(error)),
        }
    };
}

/// A reference to a constant that the compiler evaluates once. Of `&value` it makes a constant of its
/// own first, and checks both, with all that they refer to: see DESIGN, "What the compiler pays for".
macro_rules! once {
    ($value:expr) => {
        &{
            let value = $value;
            value
        }
    };
}
