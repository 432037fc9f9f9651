//! Colours of the document itself: contrast as WCAG 2 computes it, and an order of lightness.

use super::Plain;
use tiledesc_host::plot::Draw;

fn channel(part: u8) -> f64 {
    let c = f64::from(part) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

pub(super) fn rgb(colour: &str) -> [u8; 3] {
    [1, 3, 5].map(|at| u8::from_str_radix(&colour[at..at + 2], 16).unwrap())
}

/// Relative luminance, as WCAG 2 defines it.
fn luminance(colour: &str) -> f64 {
    let [r, g, b] = rgb(colour).map(channel);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The colour of a class in a style sheet.
pub(super) fn fill<'a>(css: &'a str, class: &str) -> &'a str {
    // Rectangles that are copied are matched without an ancestor.
    let names = [format!(".tiledesc .{class}"), format!("rect.{class}")];
    let rule = names.iter().find_map(|name| css.split(name.as_str()).nth(1)).unwrap();
    &rule.split("fill:").nth(1).unwrap()[..7]
}

#[test]
fn colours_are_legible_and_ordered() {
    let svg = Plain::default().figure().rows(0..1).tile(32).unwrap().svg();
    let css = svg.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let (light, dark) = css.split_once("@media(prefers-color-scheme:dark){").unwrap();
    assert!(light.contains(".tiledesc .k{fill:#000}") && !dark.contains(".k{"));
    for (letter, count) in [('s', 8), ('h', 6)] {
        let inks: Vec<_> = (0..count).map(|i| fill(light, &format!("{letter}{i}"))).collect();
        for pair in inks.windows(2) {
            let lightness = |ink: &str| 116.0 * luminance(ink).cbrt() - 16.0;
            assert!(lightness(pair[0]) - lightness(pair[1]) > 4.0, "{pair:?}");
        }
        for ink in inks {
            assert!(contrast("#000000", ink) >= 4.5 && !dark.contains(ink), "{ink}");
        }
    }
    for css in [light, dark] {
        let [paper, blank, words, quiet] = ["p{", "b0", "w,", "q"].map(|class| fill(css, class));
        for (ink, ground) in [(words, paper), (quiet, paper), (words, blank)] {
            assert!(contrast(ink, ground) >= 4.5, "{ink} on {ground}");
        }
    }
    assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9);
}
