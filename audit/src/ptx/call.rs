//! Inlines functions of the same text: each takes the place of every call that leads to it.
//!
//! ```text
//!   st.param.b32 [param0], %r1;              mov.b32 %a, %r1
//!   call.uni (retval0), row, (param0);       bra: what the function does follows, with registers of its own
//!       ld.param.b32 %r1, [row_param_0];         mov.b32 %r1', %a
//!       ..                                       ..
//!       st.param.b32 [func_retval0], %r9;        mov.b32 %b, %r9'
//!       ret;                                     bra behind it
//!   ld.param.b32 %r2, [retval0];             mov.b32 %r2, %b
//! ```
//!
//! So each call has addresses and lanes of its own, and whatever is followed elsewhere is followed across it. A call is left
//! alone, its function's accesses unjudged, if the function is not in the text, is called through a register, is recursive, or
//! would make the kernel too long.

use super::copied::{Call, Copy};
use super::function::{Function, Instruction};
use super::handed::Handed;
use super::program::Text;
use super::text::Guard;
use crate::place::Loc;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// The most instructions of a kernel, with those of its functions.
const MOST: usize = 30_000;
/// The deepest nesting of calls that is followed.
const DEPTH: usize = 16;

/// A kernel with the functions that it calls; `None` if none is followed.
pub(super) fn followed(text: &str, facts: &Text, kernel: &Function) -> Option<Function> {
    let mut library = Library { text, facts, known: BTreeMap::new() };
    library.whole(kernel, DEPTH)
}

/// The functions of a text that are called.
struct Library<'t> {
    text: &'t str,
    facts: &'t Text,
    /// Each with those that it calls; `None` of one that is not followed, and while it is read: it calls itself then.
    known: BTreeMap<String, Option<Rc<Function>>>,
}

impl Library<'_> {
    /// A function with those that it calls; `None` if it calls none that is followed.
    fn whole(&mut self, function: &Function, depth: usize) -> Option<Function> {
        let mut calls = BTreeMap::new();
        let mut length = function.code.len();
        for (at, one) in function.code.iter().enumerate() {
            let Some(call) = Call::from_instruction(one) else { continue };
            let Some(called) = self.called(call.name, depth) else { continue };
            let together = length + called.code.len() + 1;
            if together <= MOST && call.fits(&called) && !clash(function, &called) {
                length = together;
                calls.insert(at, called);
            }
        }
        (!calls.is_empty()).then(|| write(function, &calls))
    }

    fn called(&mut self, name: &str, depth: usize) -> Option<Rc<Function>> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let function = self.facts.function(self.text, name, MOST).filter(|_| depth > 0)?;
        self.known.insert(name.to_string(), None);
        if function.is_whole && function.left_out == 0 {
            let whole = Rc::new(self.whole(&function, depth - 1).unwrap_or(function));
            self.known.insert(name.to_string(), Some(whole));
        }
        self.known[name].clone()
    }
}

/// Returns whether a variable of one function that is not followed has the name of one of the other that is.
fn clash(function: &Function, called: &Function) -> bool {
    let mut names = called.locals.iter().filter(|(_, local)| local.is_none());
    names.any(|(name, _)| matches!(function.locals.get(name), Some(Some(_))))
}

/// A function with others in the place of some of its calls.
fn write(function: &Function, calls: &BTreeMap<usize, Rc<Function>>) -> Function {
    let mut whole = Function { code: Vec::new(), ..function.clone() };
    let copies: BTreeMap<usize, Copy<'_>> =
        calls.iter().map(|(at, called)| (*at, Copy::new(called, &mut whole))).collect();
    let handed = Handed::new(function, &copies, &mut whole.registers);
    let (mut begins, mut own) = (Vec::new(), Vec::new());
    for (at, one) in function.code.iter().enumerate() {
        begins.push(whole.code.len());
        match copies.get(&at) {
            Some(copy) => put(copy, one, &handed, &mut whole),
            None => {
                own.push((at, whole.code.len()));
                handed.push(one.clone(), &mut whole);
            }
        }
    }
    begins.push(whole.code.len());
    for (old, new) in own {
        let target = function.code[old].target.and_then(|target| begins.get(target));
        if let Some(target) = target {
            whole.code[new].target = Some(*target);
        }
    }
    whole
}

/// Writes a copy in the place of its call.
fn put(copy: &Copy<'_>, call: &Instruction, handed: &Handed, whole: &mut Function) {
    // The jump ends a block, so that no access is joined with one before it. Lanes that do not call go on behind it.
    let into = whole.code.len();
    let skips = |Guard { predicate, negated }| Guard { predicate, negated: !negated };
    let (guard, text) = (call.guard.map(skips), Box::default());
    let (name, operands) = ("bra".into(), Vec::new());
    whole.code.push(Instruction { guard, name, operands, text, ..call.clone() });
    let (mut begins, mut own, mut locs) = (Vec::new(), Vec::new(), HashMap::new());
    for (at, one) in copy.called.code.iter().enumerate() {
        begins.push(whole.code.len());
        own.push((at, whole.code.len()));
        let loc = one.loc.as_ref().map(|loc| called_at(loc, call.loc.as_ref(), &mut locs));
        let is_return = &*one.name == "ret" || one.name.starts_with("ret.");
        let one = Instruction {
            guard: one.guard.map(|by| Guard { predicate: copy.first + by.predicate, ..by }),
            name: if is_return { "bra".into() } else { one.name.clone() },
            operands: one.operands.iter().map(|operand| copy.operand(operand)).collect(),
            loc,
            ..one.clone()
        };
        handed.push(one, whole);
    }
    let end = whole.code.len();
    begins.push(end);
    for (old, new) in own {
        let one = &copy.called.code[old];
        let is_return = one.name.split('.').next() == Some("ret");
        let target = one.target.and_then(|target| begins.get(target)).copied();
        if is_return || target.is_some() {
            whole.code[new].target = if is_return { Some(end) } else { target };
        }
    }
    whole.code[into].target = Some(if call.guard.is_some() { end } else { into + 1 });
}

/// A place in a function that was called at another one.
fn called_at(
    loc: &Arc<Loc>,
    call: Option<&Arc<Loc>>,
    known: &mut HashMap<*const Loc, Arc<Loc>>,
) -> Arc<Loc> {
    let Some(call) = call else { return loc.clone() };
    if let Some(known) = known.get(&Arc::as_ptr(loc)) {
        return known.clone();
    }
    let caller = match &loc.caller {
        Some(caller) => called_at(caller, Some(call), known),
        None => call.clone(),
    };
    let new = Arc::new(Loc::new(loc.file, loc.line, Some(caller)));
    known.insert(Arc::as_ptr(loc), new.clone());
    new
}
