//! The crates of the repository: which may depend on which, and where their sources are.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A package, its sources and those of the repository that it may depend on.
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) folder: &'static str,
    /// In every build.
    needs: &'static [&'static str],
    /// In its tests as well.
    tests: &'static [&'static str],
}

/// From the ground up: a package needs only those above it in this table, except in tests.
pub(super) const PACKAGES: [Package; 21] = [
    package("tiledesc-macros", "macros/src", &[], &[]),
    package("tiledesc-transforms", "transforms/src", &["tiledesc-macros"], &[]),
    package(
        "tiledesc",
        "src",
        &["tiledesc-transforms", "tiledesc-macros"],
        &["tiledesc-support", "tiledesc-host", "tiledesc-proptest"],
    ),
    package("tiledesc-proptest", "proptest/src", &["tiledesc"], &[]),
    package("tiledesc-support", "tests/support", &["tiledesc"], &[]),
    package("tiledesc-kernel-crate", "benches/kernel_crate/src", &["tiledesc"], &[]),
    package("tiledesc-host", "host/src", &["tiledesc"], &["tiledesc-support"]),
    package(
        "tiledesc-tests",
        "tests",
        &[],
        &["tiledesc", "tiledesc-host", "tiledesc-proptest", "tiledesc-support"],
    ),
    package(
        "tiledesc-host-tests",
        "host/tests",
        &[],
        &["tiledesc", "tiledesc-host", "tiledesc-proptest", "tiledesc-support"],
    ),
    package("tiledesc-examples", "examples", &["tiledesc", "tiledesc-host"], &[]),
    package("tiledesc-build-script", "examples/build_script", &["tiledesc", "tiledesc-host"], &[]),
    package("tiledesc-audit", "audit/src", &["tiledesc", "tiledesc-host"], &[]),
    package(
        "tiledesc-audit-tests",
        "audit/tests",
        &[],
        &["tiledesc", "tiledesc-host", "tiledesc-audit", "tiledesc-support"],
    ),
    package("tiledesc-benches", "benches", &["tiledesc", "tiledesc-host", "tiledesc-audit"], &[]),
    package(
        "tiledesc-cli",
        "cli/src",
        &["tiledesc", "tiledesc-host", "tiledesc-audit"],
        &["tiledesc-support"],
    ),
    package("tiledesc-explorer", "explorer/src", &["tiledesc-cli"], &["tiledesc-support"]),
    package("tiledesc-python", "python/src", &["tiledesc", "tiledesc-host", "tiledesc-cli"], &[]),
    package("tiledesc-validation", "validation/src", &["tiledesc"], &["tiledesc-support"]),
    package("tiledesc-xtask", "xtask/src", &[], &[]),
    package("tiledesc-cubecl", "kernels/tiledesc-cubecl/src", &["tiledesc"], &["tiledesc-support"]),
    package("run", "kernels/run/src", &["tiledesc", "tiledesc-host", "tiledesc-cubecl"], &[]),
];

/// Workspaces of which `cargo metadata` lists the packages.
const WORKSPACES: [&str; 2] = ["Cargo.toml", "kernels/Cargo.toml"];

const fn package(
    name: &'static str,
    folder: &'static str,
    needs: &'static [&'static str],
    tests: &'static [&'static str],
) -> Package {
    Package { name, folder, needs, tests }
}

/// What a package is called in Rust. The tests call theirs `support`.
pub(super) fn in_rust(package: &str) -> String {
    match package {
        "tiledesc-support" => "support".to_string(),
        _ => package.replace('-', "_"),
    }
}

impl Package {
    pub(super) fn of(folder: &str) -> &'static Self {
        PACKAGES.iter().find(|one| one.folder == folder).expect("a package has these sources")
    }

    /// What its sources may name, its test modules included.
    pub(super) fn may_name(&self) -> Vec<String> {
        [self.needs, self.tests].concat().iter().map(|name| in_rust(name)).collect()
    }

    fn faults(&self, found: &Dependencies) -> Vec<String> {
        let fault = |kind: &str, allowed: &[&str]| {
            let names = found.iter().filter(|(k, _)| k == kind).map(|(_, name)| name.as_str());
            let wrong = names.filter(|name| !allowed.contains(name));
            let say = |name| format!("{} may not depend on {name} ({kind})", self.name);
            wrong.map(say).collect::<Vec<_>>()
        };
        let in_tests = [self.needs, self.tests].concat();
        [fault("normal", self.needs), fault("build", self.needs), fault("dev", &in_tests)].concat()
    }
}

/// Kind and name of each package of the repository that one depends on.
type Dependencies = BTreeSet<(String, String)>;

/// The dependencies inside the repository by package, as a `Cargo.toml` states them.
fn stated(metadata: &Value) -> BTreeMap<String, Dependencies> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let of = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        let ours = all.filter(|one| one["path"].is_string());
        let kind = |one: &Value| one["kind"].as_str().unwrap_or("normal").to_string();
        (text(&package["name"]), ours.map(|one| (kind(one), text(&one["name"]))).collect())
    };
    packages.map(of).collect()
}

fn metadata(manifest: &str) -> Value {
    let manifest = support::root().join(manifest);
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn packages_depend_on_those_before() {
    let mut found = BTreeMap::new();
    for manifest in WORKSPACES {
        found.extend(stated(&metadata(manifest)));
    }
    let listed: BTreeSet<_> = PACKAGES.iter().map(|one| one.name.to_string()).collect();
    assert_eq!(listed, found.keys().cloned().collect(), "the table lists all packages");
    let faults: Vec<_> = PACKAGES.iter().flat_map(|one| one.faults(&found[one.name])).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_table_is_in_order() {
    for (at, package) in PACKAGES.iter().enumerate() {
        let before: Vec<_> = PACKAGES[..at].iter().map(|one| one.name).collect();
        let late: Vec<_> = package.needs.iter().filter(|name| !before.contains(name)).collect();
        assert!(late.is_empty(), "{} needs {late:?}, which the table has later", package.name);
    }
}

/// The library knows nothing of its command line, in tests neither.
#[test]
fn a_dependency_upwards_is_refused() {
    let stated = |kind: &str, name: &str| {
        stated(&serde_json::json!({ "packages": [{ "name": "tiledesc", "dependencies": [
            { "name": "tiledesc-transforms", "kind": null, "path": "/transforms" },
            { "name": "typenum", "kind": null },
            { "name": name, "kind": kind, "path": "/planted" },
        ] }] }))
    };
    let tiledesc = Package::of("src");
    for kind in ["normal", "build", "dev"] {
        for name in ["tiledesc-cli", "tiledesc-explorer"] {
            let faults = tiledesc.faults(&stated(kind, name)["tiledesc"]);
            assert_eq!(faults, [format!("tiledesc may not depend on {name} ({kind})")]);
        }
    }
    assert_eq!(tiledesc.faults(&stated("dev", "tiledesc-support")["tiledesc"]), [""; 0]);
    let faults = tiledesc.faults(&stated("normal", "tiledesc-support")["tiledesc"]);
    assert_eq!(faults, ["tiledesc may not depend on tiledesc-support (normal)"]);
}
