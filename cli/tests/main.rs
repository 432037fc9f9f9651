//! What the command line is held to, in one program: twenty would each link the whole of it.

mod addresses;
mod asked;
mod baseline;
mod book;
mod compiled;
mod console;
mod data;
mod explore;
mod find;
mod folders;
mod fuzz;
mod golden;
mod headers;
mod index_functions;
mod instruction_names;
mod json;
mod named_order;
mod notations;
mod outcomes;
mod output;
mod random_headers;
mod readme;
mod refusals;
mod remedies;
mod show;
mod unwritten;
