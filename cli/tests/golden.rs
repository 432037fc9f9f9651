//! What each subcommand prints, in `cmd/tour.md`; `cargo xtask bless cli golden::` writes it anew.

#[test]
fn the_tour() {
    trycmd::TestCases::new().case("tests/cmd/*.md").run();
}
