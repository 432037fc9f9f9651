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
        let mut tried = BTreeSet::new();
        let from = (file, path.scope);
        if path.names.len() > 1 || path.is_macro || ["crate", "super"].contains(&&*path.names[0]) {
            return self.from(from, &path.names, path.is_macro, &mut tried);
        }
        // One name alone: what was imported by that name has been counted there, but for a glob.
        let known = |at: &Place| {
            let scope = self.scope(*at);
            let name = &path.names[0];
            scope.imports.contains_key(name) || scope.definitions.contains(name)
        };
        let scopes = self.around(from);
        let hidden = scopes.iter().position(known).unwrap_or(scopes.len());
        let mut ends =
            scopes[..hidden].iter().map(|at| self.by_globs(*at, &path.names, false, &mut tried));
        ends.find_map(|end| end).unwrap_or_default()
    }

    fn scope(&self, (file, at): Place<'a>) -> &'a Scope {
        &self.sources[file].scopes[at]
    }

    /// A scope and the blocks around it, up to its module.
    fn around(&self, from: Place<'a>) -> Vec<Place<'a>> {
        let next = |at: &Place<'a>| self.scope(*at).around.map(|around| (at.0, around));
        std::iter::successors(Some(from), next).collect()
    }

    /// Where names lead that stand in this scope.
    fn from(
        &self,
        from: Place<'a>,
        names: &[String],
        is_macro: bool,
        tried: &mut Tried<'a>,
    ) -> End {
        if !tried.insert((from, names.to_vec())) {
            return End::default();
        }
        let module = &self.scope(from).module;
        match names[0].as_str() {
            "" => End { foreign: names.get(1).cloned(), ..End::default() },
            "crate" => self.below(&[], &names[1..], is_macro, tried),
            "self" => self.below(module, &names[1..], is_macro, tried),
            "super" => {
                let levels = names.iter().take_while(|name| *name == "super").count();
                let outer = &module[..module.len().saturating_sub(levels)];
                self.below(outer, &names[levels..], is_macro, tried)
            }
            first => {
                let found = self.named(from, names, is_macro, tried);
                found.unwrap_or_else(|| match first == self.name {
                    true => self.below(&[], &names[1..], is_macro, tried),
                    false => End { foreign: Some(first.to_string()), ..End::default() },
                })
            }
        }
    }

    /// Where names lead that begin with a name known here.
    fn named(
        &self,
        from: Place<'a>,
        names: &[String],
        is_macro: bool,
        tried: &mut Tried<'a>,
    ) -> Option<End> {
        if is_macro && names.len() == 1 && self.sources[from.0].macros.contains_key(&names[0]) {
            return Some(self.file(from.0));
        }
        for at in self.around(from) {
            let scope = self.scope(at);
            let child = [&scope.module[..], &names[..1]].concat();
            // `conflicts::Crowd` is of the module, `conflicts` alone a function of that name.
            if scope.around.is_none() && names.len() > 1 && self.modules.contains_key(&child[..]) {
                return Some(self.below(&child, &names[1..], is_macro, tried));
            }
            if let Some(path) = scope.imports.get(&names[0])
                && !tried.contains(&(at, path.clone()))
            {
                let full = [path, &names[1..]].concat();
                return Some(self.from(at, &full, is_macro, tried));
            }
            if scope.definitions.contains(&names[0]) {
                return Some(self.file(at.0));
            }
            if let Some(end) = self.by_globs(at, names, is_macro, tried) {
                return Some(end);
            }
        }
        let definers = self.sources.iter().filter(|(_, s)| s.macros.contains_key(&names[0]));
        let definers: Vec<_> = definers.map(|(file, _)| file).collect();
        match definers[..] {
            // In scope by `#[macro_use]`.
            [file] if is_macro && names.len() == 1 => Some(self.file(file)),
            _ => None,
        }
    }

    /// Where names lead by the globs of a scope, if one of them is seen to have the first.
    fn by_globs(
        &self,
        at: Place<'a>,
        names: &[String],
        is_macro: bool,
        tried: &mut Tried<'a>,
    ) -> Option<End> {
        self.scope(at).globs.iter().find_map(|glob| {
            // The glob's own first name is not looked for in it.
            let all = [&glob[..], &["*".to_string()]].concat();
            let full = [glob, names].concat();
            let end = tried.insert((at, all)).then(|| self.from(at, &full, is_macro, tried))?;
            end.seen.then_some(end)
        })
    }

    /// Where names lead from a module.
    fn below(
        &self,
        module: &[String],
        names: &[String],
        is_macro: bool,
        tried: &mut Tried<'a>,
    ) -> End {
        let Some(&at) = self.modules.get(module) else { return End::default() };
        let Some(first) = names.first() else { return self.file(at.0) };
        let scope = self.scope(at);
        let child = [module, &names[..1]].concat();
        let exported = || match (module, names) {
            ([], [name]) => self.exported(name),
            _ => None,
        };
        if is_macro && let Some(file) = exported() {
            return self.file(file);
        }
        let is_child = self.modules.contains_key(&child[..]);
        if is_child && (names.len() > 1 || !scope.imports.contains_key(first)) {
            return self.below(&child, &names[1..], is_macro, tried);
        }
        if let Some(path) = scope.imports.get(first) {
            let full = [path, &names[1..]].concat();
            return self.from(at, &full, is_macro, tried).by_way_of(at.0).seen();
        }
        if scope.definitions.contains(first) {
            return self.file(at.0);
        }
        if let Some(end) = self.by_globs(at, names, is_macro, tried) {
            return end.by_way_of(at.0);
        }
        if let Some(file) = exported() {
            return self.file(file);
        }
        // `$crate::$Op` may be anything.
        match module.is_empty() && first.starts_with('$') {
            true => End::default(),
            false => End { seen: scope.given.contains(first), ..self.file(at.0) },
        }
    }

    fn exported(&self, name: &str) -> Option<&'a str> {
        let is = |source: &Source| source.macros.get(name) == Some(&true);
        self.sources.iter().find(|(_, source)| is(source)).map(|(file, _)| file.as_str())
    }

    fn file(&self, file: &str) -> End {
        End { files: BTreeSet::from([file.to_string()]), foreign: None, seen: true }
    }
}

/// The names that were looked up, and where: an import may lead to itself.
type Tried<'a> = BTreeSet<(Place<'a>, Names)>;

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
