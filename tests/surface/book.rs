//! The book is complete: every link leads to a page, every page is in the summary and
//! has its code tested, and every transform has a page.
//!
//! The code itself runs as doc tests of the crate (`book` in `src/lib.rs`); what a reader's browser
//! makes of the pages is in `book/built.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use support::root;

mod built;
mod carried;
mod examples;
mod sources;

/// Targets of the links in a page, without anchors and without other sites.
fn links(text: &str) -> Vec<String> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .map(|link| link.split('#').next().unwrap_or_default().to_owned())
        .filter(|link| link.ends_with(".md") && !link.starts_with("https:"))
        .collect()
}

fn stems(folder: &Path, extension: &str) -> Vec<String> {
    let mut stems: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    stems.sort();
    stems
}

#[test]
fn every_link_leads_to_a_page() {
    let book = root().join("docs/src");
    let mut pages: Vec<PathBuf> =
        stems(&book, "md").iter().map(|stem| book.join(format!("{stem}.md"))).collect();
    let transforms = book.join("transforms");
    pages.extend(stems(&transforms, "md").iter().map(|s| transforms.join(format!("{s}.md"))));
    for page in pages {
        for link in links(&fs::read_to_string(&page).unwrap()) {
            let target = page.parent().unwrap().join(&link);
            assert!(target.is_file(), "{}: {link} leads nowhere", page.display());
        }
    }
}

#[test]
fn every_page_is_in_the_summary_and_tested() {
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    // Two lists, of the chapters and of the transforms.
    let source = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let (_, book) = source.split_once("mod book {").unwrap();
    let tested: Vec<Vec<&str>> = book
        .split("each! {")
        .skip(1)
        .map(|list| list.split(':').next().unwrap().split(',').map(str::trim).collect())
        .collect();
    for ((folder, prefix), tested) in [("", ""), ("transforms", "transforms/")].iter().zip(tested) {
        for page in stems(&root().join("docs/src").join(folder), "md") {
            if page != "SUMMARY" {
                let file = format!("{prefix}{page}.md");
                assert!(summary.contains(&file), "{file} is not in the summary");
                assert!(tested.contains(&page.as_str()), "{file} is not tested");
            }
        }
    }
}

/// The page's kernel is the program's, which the kernels' own workspace builds and runs.
#[test]
fn the_80_lines_of_cubecl_are_the_programs() {
    let page = fs::read_to_string(root().join("docs/src/cubecl.md")).unwrap();
    let program = fs::read_to_string(root().join("kernels/run/src/bin/gemm80.rs")).unwrap();
    let pieces = |text: &str| -> Vec<String> {
        let blocks = text.split("```rust,ignore\n").skip(1);
        blocks
            .filter_map(|rest| rest.split("```").next())
            .map(|one| one.trim().to_owned())
            .collect()
    };
    let of_page = pieces(&page);
    assert_eq!(of_page.len(), 1);
    for shown in &of_page {
        assert!(program.contains(shown), "gemm80.rs has no such text: {shown}");
    }
    assert_eq!(of_page[0].lines().filter(|line| !line.is_empty()).count(), 80);
}

#[test]
fn every_transform_has_a_page() {
    let mut files = stems(&root().join("transforms/src/transform"), "rs");
    files.retain(|file| {
        !["checks", "form", "kind", "meet", "plain", "rule", "run", "strided"]
            .contains(&file.as_str())
    });
    assert_eq!(files, stems(&root().join("docs/src/transforms"), "md"));
}

/// The link to the repository at the top of each page is that of the package; without one there is none.
#[test]
fn the_book_links_the_packages_repository() {
    let value = |file: &str, key: &str| {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        line.map(|rest| rest.trim_start_matches('=').trim().to_owned())
    };
    assert_eq!(value("docs/book.toml", "git-repository-url"), value("Cargo.toml", "repository "),);
}
