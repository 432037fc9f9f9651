//! Where a path leads: through imports, renamings and re-exports to the file that defines the name.

use super::source::{Names, Path, Scope, Source, is_root};
use std::collections::{BTreeMap, BTreeSet};

/// Where a path leads.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct End {
    /// The files that re-export the name, and the one that defines it.
    pub(super) files: BTreeSet<String>,
    /// The crate it leads to, if it leaves its own.
    pub(super) foreign: Option<String>,
    /// Whether the name was seen there. A macro may define names that nobody sees.
    seen: bool,
}

/// All files of a crate.
pub(super) struct Roads<'a> {
    /// What the crate calls itself in its programs: `crate` of its library.
    name: &'a str,
    sources: &'a BTreeMap<String, Source>,
    /// The file and the scope of each module.
    modules: BTreeMap<&'a [String], (&'a str, usize)>,
}

/// A scope of a file.
type Place<'a> = (&'a str, usize);

impl<'a> Roads<'a> {
    pub(super) fn new(name: &'a str, sources: &'a BTreeMap<String, Source>) -> Self {
        let mut modules = BTreeMap::new();
        // The library's root comes after the programs' ones, and stays.
        let mut files: Vec<_> = sources.iter().collect();
        files.sort_by_key(|(file, _)| *file == "lib.rs");
        for (file, source) in files {
            for (at, scope) in source.scopes.iter().enumerate().filter(|(_, s)| s.around.is_none())
            {
                modules.insert(scope.module.as_slice(), (file.as_str(), at));
            }
        }
        Self { name, sources, modules }
    }

    /// Where a path of a file leads.
    pub(super) fn end(&self, file: &'a str, path: &'a Path) -> End {
        let mut walk = Walk { roads: self, is_macro: path.is_macro, tried: BTreeSet::new() };
        let from = (file, path.scope);
        if path.names.len() > 1 || path.is_macro || ["crate", "super"].contains(&&*path.names[0]) {
            return walk.from(from, &path.names);
        }
        // One name alone: what was imported by that name has been counted there, but for a glob.
        let known = |at: &Place| {
            let scope = self.scope(*at);
            let name = &path.names[0];
            scope.imports.contains_key(name) || scope.definitions.contains(name)
        };
        let scopes = self.around(from);
        let hidden = scopes.iter().position(known).unwrap_or(scopes.len());
        scopes[..hidden].iter().find_map(|at| walk.by_globs(*at, &path.names)).unwrap_or_default()
    }

    fn scope(&self, (file, at): Place<'a>) -> &'a Scope {
        &self.sources[file].scopes[at]
    }

    /// A scope and the blocks around it, up to its module.
    fn around(&self, from: Place<'a>) -> Vec<Place<'a>> {
        let next = |at: &Place<'a>| self.scope(*at).around.map(|around| (at.0, around));
        core::iter::successors(Some(from), next).collect()
    }

    fn exported(&self, name: &str) -> Option<&'a str> {
        let is = |source: &Source| source.macros.get(name) == Some(&true);
        self.sources.iter().find(|(_, source)| is(source)).map(|(file, _)| file.as_str())
    }

    fn file(&self, file: &str) -> End {
        End { files: BTreeSet::from([file.to_string()]), foreign: None, seen: true }
    }
}

/// A path on its way.
struct Walk<'r, 'a> {
    roads: &'r Roads<'a>,
    is_macro: bool,
    /// The names that were looked up, and where: an import may lead to itself.
    tried: BTreeSet<(Place<'a>, Names)>,
}

impl<'a> Walk<'_, 'a> {
    /// Where names lead that stand in this scope.
    fn from(&mut self, from: Place<'a>, names: &[String]) -> End {
        if !self.tried.insert((from, names.to_vec())) {
            return End::default();
        }
        let module = &self.roads.scope(from).module;
        match names[0].as_str() {
            "" => End { foreign: names.get(1).cloned(), ..End::default() },
            "crate" => self.below(&[], &names[1..]),
            "self" => self.below(module, &names[1..]),
            "super" => {
                let levels = names.iter().take_while(|name| *name == "super").count();
                let outer = &module[..module.len().saturating_sub(levels)];
                self.below(outer, &names[levels..])
            }
            first => {
                let found = self.named(from, names);
                found.unwrap_or_else(|| match first == self.roads.name {
                    true => self.below(&[], &names[1..]),
                    false => End { foreign: Some(first.to_string()), ..End::default() },
                })
            }
        }
    }

    /// Where names lead that begin with a name known here.
    fn named(&mut self, from: Place<'a>, names: &[String]) -> Option<End> {
        if self.is_macro
            && names.len() == 1
            && self.roads.sources[from.0].macros.contains_key(&names[0])
        {
            return Some(self.roads.file(from.0));
        }
        for at in self.roads.around(from) {
            let scope = self.roads.scope(at);
            let child = [&scope.module[..], &names[..1]].concat();
            // `conflicts::Crowd` is of the module, `conflicts` alone a function of that name.
            if scope.around.is_none()
                && names.len() > 1
                && self.roads.modules.contains_key(&child[..])
            {
                return Some(self.below(&child, &names[1..]));
            }
            if let Some(path) = scope.imports.get(&names[0])
                && !self.tried.contains(&(at, path.clone()))
            {
                let full = [path, &names[1..]].concat();
                return Some(self.from(at, &full));
            }
            if scope.definitions.contains(&names[0]) {
                return Some(self.roads.file(at.0));
            }
            if let Some(end) = self.by_globs(at, names) {
                return Some(end);
            }
        }
        let definers = self.roads.sources.iter().filter(|(_, s)| s.macros.contains_key(&names[0]));
        let definers: Vec<_> = definers.map(|(file, _)| file).collect();
        match definers[..] {
            // In scope by `#[macro_use]`.
            [file] if self.is_macro && names.len() == 1 => Some(self.roads.file(file)),
            _ => None,
        }
    }

    /// Where names lead by the globs of a scope, if one of them is seen to have the first.
    fn by_globs(&mut self, at: Place<'a>, names: &[String]) -> Option<End> {
        self.roads.scope(at).globs.iter().find_map(|glob| {
            // The glob's own first name is not looked for in it.
            let all = [&glob[..], &["*".to_string()]].concat();
            let full = [glob, names].concat();
            let end = self.tried.insert((at, all)).then(|| self.from(at, &full))?;
            end.seen.then_some(end)
        })
    }

    /// Where names lead from a module.
    fn below(&mut self, module: &[String], names: &[String]) -> End {
        let Some(&at) = self.roads.modules.get(module) else { return End::default() };
        let Some(first) = names.first() else { return self.roads.file(at.0) };
        let scope = self.roads.scope(at);
        let child = [module, &names[..1]].concat();
        let exported = || match (module, names) {
            ([], [name]) => self.roads.exported(name),
            _ => None,
        };
        if self.is_macro
            && let Some(file) = exported()
        {
            return self.roads.file(file);
        }
        let is_child = self.roads.modules.contains_key(&child[..]);
        if is_child && (names.len() > 1 || !scope.imports.contains_key(first)) {
            return self.below(&child, &names[1..]);
        }
        if let Some(path) = scope.imports.get(first) {
            let full = [path, &names[1..]].concat();
            return self.from(at, &full).by_way_of(at.0).seen();
        }
        if scope.definitions.contains(first) {
            return self.roads.file(at.0);
        }
        if let Some(end) = self.by_globs(at, names) {
            return end.by_way_of(at.0);
        }
        if let Some(file) = exported() {
            return self.roads.file(file);
        }
        // `$crate::$Op` may be anything.
        match module.is_empty() && first.starts_with('$') {
            true => End::default(),
            false => End { seen: scope.given.contains(first), ..self.roads.file(at.0) },
        }
    }
}

impl End {
    /// A file that re-exports a name is used; the root stands for whatever it re-exports.
    fn by_way_of(mut self, file: &str) -> Self {
        if !is_root(file) && self.foreign.is_none() {
            self.files.insert(file.to_string());
        }
        self
    }

    /// Of a name that an import says: it is there, whoever defines it.
    fn seen(self) -> Self {
        Self { seen: true, ..self }
    }
}
