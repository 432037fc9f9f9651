//! Numbers by short names: `U128` is `Lit<128>`, and is called so in errors.
//!
//! All to 1024, for of one that is missing rustc suggests another: of `U100` it said `U10`.

tiledesc_macros::each! { 1..=1024: pub type #U = tiledesc_transforms::Lit<#>; }
