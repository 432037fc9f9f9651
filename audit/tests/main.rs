//! What an audit is held to, in one program: ten would each link the whole of it.

mod among;
mod assembler;
mod between;
mod bounds;
mod calls;
mod damaged;
mod data;
mod global;
mod joins;
mod jumps;
mod kernels;
mod layouts;
mod places;
mod programs;
mod reasons;
mod refusals;
mod resources;
mod rules;
mod sass;
mod size;
mod soundness;
mod soundness_ptx;
mod tiles;
mod touched;
mod undefined;
mod value;
