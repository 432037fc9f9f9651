//! `validation write CHIP FOLDER`, `validation list CHIP`, `validation compare FILE...`.
fn main() {}
