//! Names that the user chooses: one wrong name makes a file that does not compile,
//! or, as `linux` in gcc's C, one that computes with the number 1.

use super::Language;
use super::error::Error;
use alloc::string::ToString;

/// Keywords of C and C++, macros of gcc, and what HIP and CUDA give every kernel.
const C: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char \
    char8_t char16_t char32_t class compl concept const consteval constexpr constinit const_cast \
    continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum \
    explicit export extern false float for friend goto if inline int long mutable namespace new \
    noexcept not not_eq nullptr operator or or_eq private protected public register \
    reinterpret_cast requires restrict return short signed sizeof static static_assert \
    static_cast struct switch template this thread_local throw true try typedef typeid typename \
    typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq \
    NULL linux main unix threadIdx blockIdx blockDim gridDim warpSize";

/// Keywords, reserved words and types of WGSL (W3C, 2024).
const WGSL: &str = "alias break case const const_assert continue continuing default diagnostic \
    discard else enable false fn for if let loop override requires return struct switch true var \
    while NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await \
    become cast catch class co_await co_return co_yield coherent column_major common compile \
    compile_fragment concept const_cast consteval constexpr constinit crate debugger decltype \
    delete demote demote_to_helper do dynamic_cast enum explicit export extends extern external \
    fallthrough filter final finally friend from fxgroup get goto groupshared highp impl \
    implements import inline instanceof interface layout lowp macro macro_rules match mediump meta \
    mod module move mut mutable namespace new nil noexcept noinline nointerpolation \
    non_coherent noncoherent noperspective null nullptr of operator package packoffset partition \
    pass patch pixelfragment precise precision premerge priv protected pub public readonly ref \
    regardless register reinterpret_cast require resource restrict self set shared sizeof smooth \
    snorm static static_assert static_cast std subroutine super target template this thread_local \
    throw trait try type typedef typeid typename typeof union unless unorm unsized use \
    using varying virtual volatile wgsl where with writeonly yield \
    bool f16 f32 i32 u32 array atomic ptr sampler vec2 vec3 vec4 unsafe";

/// The operators of [`super::PLAIN`].
const PLAIN: &str = "div mod xor";

/// Refuses names that are none, are reserved, or are given twice.
pub(super) fn check(language: Language, name: &str, coordinates: &[&str]) -> Result<(), Error> {
    identifier(language, name)?;
    for (i, coordinate) in coordinates.iter().enumerate() {
        identifier(language, coordinate)?;
        if *coordinate == name || coordinates[..i].contains(coordinate) {
            return Err(Error::Twice { name: coordinate.to_string() });
        }
    }
    Ok(())
}

fn identifier(language: Language, name: &str) -> Result<(), Error> {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !letters
        || name.trim_matches('_').is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(Error::NoIdentifier { name: name.to_string() });
    }
    let (language, words) = match language {
        Language::C => ("C", C),
        Language::Hip => ("HIP", C),
        Language::Wgsl => ("WGSL", WGSL),
        Language::Latex => return Ok(()),
        Language::Plain => ("plain text", PLAIN),
    };
    let of_compiler = language != "plain text" && is_of_compiler(name);
    if of_compiler || words.split_whitespace().any(|word| word == name) {
        return Err(Error::Reserved { name: name.to_string(), language });
    }
    Ok(())
}

/// `_A` and what has `__` in it belong to compilers of C++, `__a` to those of WGSL.
fn is_of_compiler(name: &str) -> bool {
    name.contains("__")
        || name.starts_with('_') && name[1..].starts_with(|c: char| c.is_ascii_uppercase())
}
