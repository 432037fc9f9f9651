//! One file, read token by token: what it names, and what each of its modules and blocks calls it.
//!
//! Tokens and not a syntax tree, because half of the paths stand in `macro_rules!`, where there is no tree.
//! A tokenizer leaves out comments and what strings say.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// `crate::bank::Verdict` as its names. A variable of a macro is one name, `$chip`; `$crate` is `crate`.
pub(super) type Names = Vec<String>;

/// A module or a block: within its braces, names are known.
#[derive(Default)]
pub(super) struct Scope {
    /// The module it is or is in, from the root of the crate.
    pub(super) module: Names,
    /// A block sees what is around it; a module does not.
    pub(super) around: Option<usize>,
    /// What `use` and `pub use` call a path here.
    pub(super) imports: BTreeMap<String, Names>,
    pub(super) globs: Vec<Names>,
    pub(super) definitions: BTreeSet<String>,
    /// The names that its macros are given: `ops! { Merge = merge {..} }` may define them.
    pub(super) given: BTreeSet<String>,
}

pub(super) struct Path {
    pub(super) scope: usize,
    pub(super) line: usize,
    pub(super) names: Names,
    /// `layout!` is a macro, `layout` a module.
    pub(super) is_macro: bool,
}

#[derive(Default)]
pub(super) struct Source {
    /// The first one is the file.
    pub(super) scopes: Vec<Scope>,
    pub(super) paths: Vec<Path>,
    /// The macros that `macro_rules!` defines here, and whether they are exported.
    pub(super) macros: BTreeMap<String, bool>,
}

impl Source {
    /// Of a text that is this module.
    pub(super) fn read(text: &str, module: Names) -> Self {
        let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{module:?}: {e}"));
        let mut source = Self::default();
        source.scopes.push(Scope { module, ..Scope::default() });
        source.walk(&tokens.into_iter().collect::<Vec<_>>(), 0);
        source
    }

    /// Reads what stands between two braces, or in the whole file.
    fn walk(&mut self, tokens: &[TokenTree], scope: usize) {
        let (mut at, mut exported) = (0, false);
        while at < tokens.len() {
            let rest = &tokens[at..];
            at += match (word(rest, 0).as_deref(), word(rest, 1).as_deref()) {
                // `impl Trait + use<T>` imports nothing.
                (Some("use"), _) if !is_sign(rest, 1, '<') => self.import(&rest[1..], scope) + 1,
                (Some("macro_rules"), None) if is_sign(rest, 1, '!') => {
                    let name = word(rest, 2).unwrap_or_default();
                    *self.macros.entry(name).or_default() |= exported;
                    exported = false;
                    3
                }
                (Some("pub"), _) if is_visibility(rest) => 2,
                (Some("extern"), Some("crate")) => 2,
                (Some("mod"), _) => self.module(rest, scope),
                (Some(kind), Some(name)) if DEFINING.contains(&kind) && !is_generic(tokens, at) => {
                    self.scopes[scope].definitions.insert(name.to_string());
                    // The name of `const fn name` comes later.
                    1 + usize::from(!DEFINING.contains(&name) && name != "unsafe")
                }
                _ => match &rest[0] {
                    TokenTree::Group(group) if is_root_alone(group) => 1,
                    TokenTree::Group(group) => {
                        let inside: Vec<_> = group.stream().into_iter().collect();
                        exported |= word(&inside, 0).as_deref() == Some("macro_export");
                        // What a macro is given stands where the macro does.
                        let is_given = at > 0 && is_sign(tokens, at - 1, '!');
                        let inner = match group.delimiter() {
                            Delimiter::Brace if !is_given => self.open(scope, None),
                            _ => scope,
                        };
                        if is_given {
                            let names = (0..inside.len()).filter_map(|at| word(&inside, at));
                            self.scopes[scope].given.extend(names);
                        }
                        self.walk(&inside, inner);
                        1
                    }
                    _ => self.path(tokens, at, scope),
                },
            };
        }
    }

    /// A new scope: a block, or a module of this name.
    fn open(&mut self, scope: usize, name: Option<String>) -> usize {
        let mut module = self.scopes[scope].module.clone();
        let around = name.is_none().then_some(scope);
        module.extend(name);
        self.scopes.push(Scope { module, around, ..Scope::default() });
        self.scopes.len() - 1
    }

    /// `mod name { .. }`, where a macro may give the name. Of `mod name;` there is a file.
    fn module(&mut self, tokens: &[TokenTree], scope: usize) -> usize {
        let Some((name, length)) = segment(&tokens[1..]) else { return 1 };
        let Some(TokenTree::Group(group)) = tokens.get(1 + length) else { return 1 + length };
        if group.delimiter() != Delimiter::Brace {
            return 1 + length;
        }
        self.scopes[scope].definitions.insert(name.clone());
        let inner = self.open(scope, Some(name));
        self.walk(&group.stream().into_iter().collect::<Vec<_>>(), inner);
        2 + length
    }

    /// The tree of a `use`, up to its semicolon.
    fn import(&mut self, tokens: &[TokenTree], scope: usize) -> usize {
        let end = (0..tokens.len()).find(|at| is_sign(tokens, *at, ';')).unwrap_or(tokens.len());
        self.tree(&tokens[..end], &[], scope);
        end
    }

    /// `a::{b, c::*, d as e}` below the names before it.
    fn tree(&mut self, tokens: &[TokenTree], before: &[String], scope: usize) {
        let Some(first) = tokens.first() else { return };
        let line = first.span().start().line;
        let (mut names, at) = chain(tokens, before.to_vec());
        match tokens.get(at) {
            Some(TokenTree::Group(group)) => {
                let inside: Vec<_> = group.stream().into_iter().collect();
                for item in inside.split(|token| is(token, ',')) {
                    self.tree(item, &names, scope);
                }
                return;
            }
            Some(token) if is(token, '*') => self.scopes[scope].globs.push(names.clone()),
            _ => {
                // `bank::{self}` is `bank`.
                if names.len() > 1 && names.last().is_some_and(|last| last == "self") {
                    names.pop();
                }
                let renamed = match word(tokens, at).as_deref() {
                    Some("as") => word(tokens, at + 1),
                    _ => names.last().cloned(),
                };
                if let Some(name) = renamed.filter(|name| name != "_") {
                    self.scopes[scope].imports.insert(name, names.clone());
                }
            }
        }
        self.paths.push(Path { scope, line, names, is_macro: false });
    }

    /// A path, or a token that is none. Returns how many tokens it is.
    fn path(&mut self, tokens: &[TokenTree], at: usize, scope: usize) -> usize {
        let rest = &tokens[at..];
        // `'a`, `.field`; a range has two dots.
        let dots = |at: usize| is_sign(tokens, at, '.');
        if is_sign(rest, 0, '\'') || (dots(at) && !dots(at + 1) && (at == 0 || !dots(at - 1))) {
            return 1 + usize::from(word(rest, 1).is_some());
        }
        let (names, length) = chain(rest, Vec::new());
        // `<T as Trait>::Name` begins with a type.
        let of_a_type = is_sign(rest, 0, ':') && is_after_a_type(tokens, at);
        if !names.is_empty() && !of_a_type && !names[0].starts_with('$') {
            let is_macro = is_sign(rest, length, '!')
                && matches!(rest.get(length + 1), Some(TokenTree::Group(_)));
            let line = rest[0].span().start().line;
            self.paths.push(Path { scope, line, names, is_macro });
        }
        length.max(1)
    }
}

/// The words before a name that is defined.
const DEFINING: [&str; 8] = ["struct", "enum", "union", "trait", "fn", "const", "static", "type"];

/// The words that a `::` may follow and which are not part of its path: `return ::core::..`.
const BEFORE_A_PATH: [&str; 8] = ["return", "in", "as", "dyn", "impl", "mut", "else", "match"];

/// `<const N: usize>` defines nothing that others could name.
fn is_generic(tokens: &[TokenTree], at: usize) -> bool {
    at > 0 && (is(&tokens[at - 1], '<') || is(&tokens[at - 1], ','))
}

/// Returns whether a type ends before this place: `<T as Trait>`, and not an arrow.
fn is_after_a_type(tokens: &[TokenTree], at: usize) -> bool {
    let arrow = at > 1 && (is(&tokens[at - 2], '-') || is(&tokens[at - 2], '='));
    at > 0 && is(&tokens[at - 1], '>') && !arrow
}

/// The names of a path and how many tokens they are. A path from outside, `::core`, begins with an empty name.
fn chain(tokens: &[TokenTree], mut names: Names) -> (Names, usize) {
    let mut at = 0;
    let colons = |at: usize| is_sign(tokens, at, ':') && is_sign(tokens, at + 1, ':');
    if colons(0) {
        names.push(String::new());
        at = 2;
    }
    while let Some((name, length)) = segment(&tokens[at..]) {
        at += length;
        let ends = BEFORE_A_PATH.contains(&name.as_str());
        names.push(name);
        if ends || !colons(at) {
            return (names, at);
        }
        at += 2;
    }
    (names, at)
}

/// A name, or `$name`.
fn segment(tokens: &[TokenTree]) -> Option<(String, usize)> {
    if !is_sign(tokens, 0, '$') {
        return word(tokens, 0).map(|name| (name, 1));
    }
    let name = word(tokens, 1)?;
    Some((if name == "crate" { name } else { format!("${name}") }, 2))
}

/// `pub(crate)` and `pub(in crate::answer)` use nothing.
fn is_visibility(tokens: &[TokenTree]) -> bool {
    let Some(TokenTree::Group(group)) = tokens.get(1) else { return false };
    let inside: Vec<_> = group.stream().into_iter().collect();
    let first = word(&inside, 0);
    let is_module = first.as_deref().is_some_and(|w| ["crate", "super", "self"].contains(&w));
    first.as_deref() == Some("in") || (is_module && inside.len() == 1)
}

/// `{$crate}`, which a macro hands to its grammar, uses nothing.
fn is_root_alone(group: &Group) -> bool {
    let inside: Vec<_> = group.stream().into_iter().collect();
    inside.len() == 2 && is_sign(&inside, 0, '$') && word(&inside, 1).as_deref() == Some("crate")
}

fn word(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(TokenTree::Ident(name)) => Some(name.to_string().trim_start_matches("r#").to_string()),
        _ => None,
    }
}

fn is_sign(tokens: &[TokenTree], at: usize, sign: char) -> bool {
    tokens.get(at).is_some_and(|token| is(token, sign))
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Returns whether a file is the root of a library or of a program.
pub(super) fn is_root(file: &str) -> bool {
    file == "lib.rs" || file == "main.rs" || file.starts_with("bin/")
}

/// The module that a file is, from the root of its crate.
pub(super) fn module(file: &str) -> Names {
    match is_root(file) {
        true => Names::new(),
        false => file.trim_end_matches(".rs").split('/').map(String::from).collect(),
    }
}
