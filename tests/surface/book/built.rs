//! The book as readers get it: built by mdbook, opened by Chromium.
//!
//! Both are looked for and never fetched; without one of them the tests say so and stop.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program of one of these names, on the path or where `.ci/run` installs it.
fn program(names: &[&str]) -> Option<PathBuf> {
    let ours = super::root().join("target/tools/bin");
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain([ours]).collect();
    let found = |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|p| p.is_file());
    names.iter().find_map(found)
}

/// The folder of the built pages; `None` if there is no mdbook, which is said.
fn book() -> Option<&'static Path> {
    static BOOK: OnceLock<Option<PathBuf>> = OnceLock::new();
    let book = BOOK.get_or_init(|| {
        let mdbook = program(&["mdbook"])?;
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
        let mut build = Command::new(mdbook);
        build.arg("build").arg(super::root().join("docs")).arg("--dest-dir").arg(&folder);
        let built = build.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Some(folder)
    });
    if book.is_none() {
        support::skipped!("mdbook is not installed");
    }
    book.as_deref()
}

/// All files of the built book with this extension, by their paths in it.
fn files(book: &Path, extension: &str) -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![book.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path.strip_prefix(book).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Pages of the book. The page of links that lead nowhere takes its style from the root of a site.
fn pages(book: &Path) -> Vec<String> {
    let mut pages = files(book, "html");
    pages.retain(|page| page != "404.html" && text(book, page).contains("<main>"));
    pages
}

fn text(book: &Path, file: &str) -> String {
    fs::read_to_string(book.join(file)).unwrap()
}

/// What the page of `measure.html` writes after it has opened every page of the book.
fn measured(book: &Path, chromium: &Path) -> String {
    let pages = pages(book);
    let list: Vec<String> = pages.iter().map(|page| format!("{page:?}")).collect();
    let script =
        include_str!("measure.html").replace("= PAGES,", &format!("= [{}],", list.join(", ")));
    let page = book.join("measure.html");
    fs::write(&page, script).unwrap();
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chromium");
    let run = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
        // The frames are files beside the page that measures them; nothing else is reached.
        .args(["--allow-file-access-from-files", "--host-resolver-rules=MAP * ~NOTFOUND"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--timeout=120000", "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let found =
        text.split("<pre id=\"found\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    found.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&run.stderr))).to_owned()
}

/// On a phone (390 pixels) and on a desk (1280), no table, code block or figure is wider than its
/// page, and no page scrolls sideways.
#[test]
fn nothing_is_wider_than_the_page() {
    let Some(book) = book() else { return };
    let Some(chromium) = program(&["chromium", "chromium-browser", "google-chrome"]) else {
        support::skipped!("Chromium is not installed");
        return;
    };
    let found = measured(book, &chromium);
    let tables = |page: &String| text(book, page).matches("<table>").count();
    let (pages, widths) = (pages(book), 2);
    let (opened, tables) = (pages.len(), pages.iter().map(tables).sum::<usize>());
    assert!(tables > 0);
    assert_eq!(found, format!("measured {} pages {} tables\n", widths * opened, widths * tables));
}

/// Every link to a heading, of this page or another, leads to one.
#[test]
fn every_heading_that_is_linked_exists() {
    let Some(book) = book() else { return };
    let mut links = 0;
    for page in pages(book) {
        let html = text(book, &page);
        for link in html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let Some((file, heading)) = link.split_once('#').filter(|_| !link.contains(':')) else {
                continue;
            };
            let here = book.join(&page);
            let target = if file.is_empty() { here } else { here.parent().unwrap().join(file) };
            let target = fs::read_to_string(&target).unwrap_or_else(|_| panic!("{page}: {link}"));
            assert!(target.contains(&format!("id=\"{heading}\"")), "{page}: {link} leads nowhere");
            links += 1;
        }
    }
    assert!(links > 100, "{links}");
}

/// Addresses that a browser would fetch by itself.
fn fetched(page: &str) -> Vec<&str> {
    let outside =
        |address: &&str| ["http:", "https:", "//"].iter().any(|way| address.starts_with(way));
    let tags = page.split('<').filter(|tag| !tag.starts_with("a ") && !tag.starts_with('!'));
    let sources =
        tags.flat_map(|tag| ["src=\"", "href=\"", "srcset=\""].map(|name| tag.split(name).nth(1)));
    let styles =
        ["url(", "@import "].into_iter().flat_map(|name| page.split(name).skip(1).map(Some));
    let addresses =
        sources.chain(styles).flatten().map(|rest| rest.trim_start_matches(['"', '\'']));
    addresses.filter(outside).filter_map(|rest| rest.split(['"', '\'', ')', '>']).next()).collect()
}

/// No page takes a script, a style, a font or an image from elsewhere.
#[test]
fn no_page_loads_from_elsewhere() {
    let Some(book) = book() else { return };
    let all = ["html", "css", "js", "svg"].map(|extension| files(book, extension));
    assert!(all.iter().all(|files| !files.is_empty()));
    for file in all[..2].iter().chain([&all[3]]).flatten() {
        let text = text(book, file);
        let found = fetched(&text);
        assert!(found.is_empty(), "{file} loads {found:?}");
    }
}

#[test]
fn what_a_browser_would_fetch_is_found() {
    let page = "<a href=\"https://a\">a</a> <script src=\"https://b/c.js\"></script> \
                <link href='x'> <link rel=\"stylesheet\" href=\"//d\"> <img src=\"e.svg\"> \
                @import \"http://f\"; url(https://g/h)";
    assert_eq!(fetched(page), ["https://b/c.js", "//d", "https://g/h", "http://f"]);
}
