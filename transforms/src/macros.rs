//! The spellings: `seq![..]`, `lower![..]`, `upper![..]`, `number!(..)` and
//! `descriptor! { .. }`. Each expands to plain types that one may also write.

/// Arithmetic on numbers as a type: `number!(K / P * L)` is
/// `Mul<Div<K, P>, L>`.
///
/// Literals become [`Lit`](crate::Lit); `/` is exact ([`Div`](crate::Div)), so a
/// remainder is refused where the number is used; `div` rounds down
/// ([`Quotient`](crate::Quotient)). `*`, `/` and `div` bind tighter than `+` and `-`;
/// parentheses group.
///
/// ```
/// use tiledesc_transforms::{Number, number};
/// use typenum::U64;
///
/// assert_eq!(<number!(U64 / 8 * (2 + 1))>::N, 24);
/// assert_eq!(<number!(U64 div 24 + 1)>::N, 3);
/// ```
#[macro_export]
macro_rules! number {
    // Left to right, with one product and one sum in hand.
    //
    // | rule | reads |
    // |---|---|
    // | `@operand` | a literal, a name or parentheses |
    // | `@joined` | nothing: the operand joins the product |
    // | `@operator` | an operator, or the end |
    //
    // | argument | holds |
    // |---|---|
    // | `$sum` | the operator and the type to its left: `Add A`; `[]` before the first `+` or `-` |
    // | `$product` | the same of `Mul`, `Div`, `Quotient`; after `@joined` a type alone |
    // | `$x` | the operand |
    // An operand.
    (@operand [$($sum:tt)*] [$($product:tt)*] ($($inner:tt)*) $($rest:tt)*) => {
        $crate::number!(@joined [$($sum)*] [$($product)*] [$crate::number!($($inner)*)] $($rest)*)
    };
    (@operand [$($sum:tt)*] [$($product:tt)*] $n:literal $($rest:tt)*) => {
        $crate::number!(@joined [$($sum)*] [$($product)*] [$crate::Lit::<$n>] $($rest)*)
    };
    (@operand [$($sum:tt)*] [$($product:tt)*] $name:ident $($rest:tt)*) => {
        $crate::number!(@joined [$($sum)*] [$($product)*] [$name] $($rest)*)
    };
    // The first of a product, or a further one.
    (@joined [$($sum:tt)*] [] [$x:ty] $($rest:tt)*) => {
        $crate::number!(@operator [$($sum)*] [$x] $($rest)*)
    };
    (@joined [$($sum:tt)*] [$Op:ident $product:ty] [$x:ty] $($rest:tt)*) => {
        $crate::number!(@operator [$($sum)*] [$crate::$Op<$product, $x>] $($rest)*)
    };
    // The product goes on.
    (@operator [$($sum:tt)*] [$product:ty] * $($rest:tt)+) => {
        $crate::number!(@operand [$($sum)*] [Mul $product] $($rest)+)
    };
    (@operator [$($sum:tt)*] [$product:ty] / $($rest:tt)+) => {
        $crate::number!(@operand [$($sum)*] [Div $product] $($rest)+)
    };
    (@operator [$($sum:tt)*] [$product:ty] div $($rest:tt)+) => {
        $crate::number!(@operand [$($sum)*] [Quotient $product] $($rest)+)
    };
    // The product ends: the sum begins, or goes on.
    (@operator [] [$product:ty] + $($rest:tt)+) => {
        $crate::number!(@operand [Add $product] [] $($rest)+)
    };
    (@operator [] [$product:ty] - $($rest:tt)+) => {
        $crate::number!(@operand [Sub $product] [] $($rest)+)
    };
    (@operator [$Op:ident $sum:ty] [$product:ty] + $($rest:tt)+) => {
        $crate::number!(@operand [Add $crate::$Op<$sum, $product>] [] $($rest)+)
    };
    (@operator [$Op:ident $sum:ty] [$product:ty] - $($rest:tt)+) => {
        $crate::number!(@operand [Sub $crate::$Op<$sum, $product>] [] $($rest)+)
    };
    // The end.
    (@operator [] [$product:ty]) => { $product };
    (@operator [$Op:ident $sum:ty] [$product:ty]) => { $crate::$Op<$sum, $product> };
    // Not a number.
    (@operand $($other:tt)*) => {
        ::core::compile_error!("a number is a literal, a name, or these with + - * / and ( )")
    };
    (@operator $($other:tt)*) => {
        ::core::compile_error!("a number is a literal, a name, or these with + - * / and ( )")
    };
    // A single literal stays a path, so that it is a value too.
    ($n:literal) => { $crate::Lit::<$n> };
    // Anything else.
    ($($expression:tt)+) => { $crate::number!(@operand [] [] $($expression)+) };
}

/// A sequence, as a type or (of literals) as a value.
///
/// ```
/// use tiledesc_transforms::{Lengths, Sequence, seq};
/// use typenum::U64;
///
/// type Base<K> = seq![K / 8, 1536, 8];
/// assert_eq!(<Base<U64> as Sequence>::VALUES.as_slice(), [8, 1536, 8]);
/// assert_eq!(seq![128, 64].extents().len(), 2);
/// ```
#[macro_export]
macro_rules! seq {
    // `@split` reads items up to commas: `$done` are those that are read, `$item` the tokens of the next.
    // The end, with a last item or without.
    (@split [$($done:tt)*] []) => { ($($done)*) };
    (@split [$($done:tt)*] [$($item:tt)+]) => { ($($done)* $crate::number!($($item)+),) };
    // An item ends.
    (@split [$($done:tt)*] [$($item:tt)+] , $($rest:tt)*) => {
        $crate::seq!(@split [$($done)* $crate::number!($($item)+),] [] $($rest)*)
    };
    // It goes on.
    (@split [$($done:tt)*] [$($item:tt)*] $next:tt $($rest:tt)*) => {
        $crate::seq!(@split [$($done)*] [$($item)* $next] $($rest)*)
    };
    // The start.
    ($($items:tt)*) => { $crate::seq!(@split [] [] $($items)*) };
}

/// For each transform of a stage, the dimensions it takes from below: a type,
/// and its value.
///
/// ```
/// use tiledesc_transforms::{Wiring, lower};
///
/// assert_eq!(<lower![[1, 0], [2]] as Wiring>::LISTS[0].as_slice(), [1, 0]);
/// ```
#[macro_export]
macro_rules! lower {
    ($([$($id:literal),* $(,)?]),* $(,)?) => { ($(($($crate::Lit::<$id>,)*),)*) };
}

/// For each transform of a stage, the dimensions it gives: a type, and its
/// value.
///
/// ```
/// use tiledesc_transforms::{Wiring, upper};
///
/// assert_eq!(<upper![[0, 2], [1], []] as Wiring>::LISTS.len(), 3);
/// ```
#[macro_export]
macro_rules! upper {
    ($($ids:tt)*) => { $crate::lower![$($ids)*] };
}

/// Composes a descriptor from transforms, stage by stage, as a type.
///
/// A block may hold several: some twenty of two stages before the compiler's recursion limit
/// of 128; more go into blocks of their own.
///
/// The base comes first, then stages separated by `;`. A transform is its CK
/// name, its numbers in brackets, and the dimensions it takes and gives:
///
/// ```
/// use tiledesc_transforms::*;
///
/// descriptor! {
///     /// CK Tile's index swapping: K elements of M rows in packs of P, L rows a layer.
///     pub type Swapped<K, M, P, L>:
///         naive [K/P*L, M/L, P] strides [P, K*L, 1];
///         xor[M/L, K/P*L] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
///         unmerge[L, K/P] (0) -> (0, 2),      pass[M/L] (1) -> (1),   pass[P] (2) -> (3);
///         merge[M/L, L] (1, 0) -> (0),        merge[K/P, P] (2, 3) -> (1);
/// }
/// type Tile = Swapped<Lit<64>, Lit<128>, Lit<8>, Lit<1>>;
/// assert_eq!(Tile::default().at([3u32, 17]), 3 * 64 + (2 ^ 3) * 8 + 1);
/// ```
///
/// An offset of the base is any expression, division may round down, and a pad may leave
/// the check to the caller:
///
/// ```
/// use tiledesc_transforms::*;
///
/// descriptor! {
///     type Second<K, Single>:
///         packed [K div 24, 4] offset 1 * Single + 2;
///         right_pad[K div 24, 6, unchecked] (0) -> (0),   pass[4] (1) -> (1);
/// }
/// type Tile = Second<Lit<64>, Lit<100>>;
/// assert_eq!(Tile::default().at([1u32, 3]), 102 + 4 + 3);
/// assert!(Tile::default().coordinate([5, 0]).is_valid());
/// ```
///
/// A descriptor with at most twelve parameters is also a `const` function of the same name: its [`Plan`](crate::Plan) of numbers
/// that only the run time knows, in the order of the parameters. Errors are those of the type; the parameters give their names.
/// Links in rustdoc state which one they mean: `type@Swapped`, `fn@Swapped`.
///
/// ```
/// use tiledesc_transforms::*;
///
/// descriptor! {
///     pub type Chunked<M, K, P>:
///         naive [K/P, M, P] strides [P, K, 1];
///         xor[M, K/P] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
///         pass[M] (1) -> (0),             merge[K/P, P] (0, 2) -> (1);
/// }
/// let (rows, depth) = (128, 64); // from a file, say
/// let plan = Chunked([rows, depth, 8])?;
/// assert_eq!(plan.offset(&[3, 17])?, 201);
/// assert_eq!(Ok(plan), Chunked::<Lit<128>, Lit<64>, Lit<8>>::PLAN);
/// let error = Chunked([rows, depth, 24]).unwrap_err();
/// assert_eq!(error.to_string(), "K = 64 is not a multiple of P = 24");
/// # Ok::<(), Error>(())
/// ```
///
/// | base | |
/// |---|---|
/// | `naive [lengths] strides [strides]` | [`Naive`](crate::Naive); with `offset n`, [`NaiveWithOffset`](crate::NaiveWithOffset) |
/// | `packed [lengths]` | [`Packed`](crate::Packed); with `offset n`, [`PackedWithOffset`](crate::PackedWithOffset) |
/// | `aligned [lengths] to n` | [`Aligned`](crate::Aligned) |
/// | `over Type` | any descriptor |
///
/// | transform | |
/// |---|---|
/// | `pass[n]`, `merge[..]`, `unmerge[..]`, `xor[n, n]`, `embed[..] strides [..]` | |
/// | `pad[low, left, right]`, `left_pad[low, left]`, `right_pad[low, right]` | with `, unchecked` after the numbers, padding counts as valid |
/// | `slice[low, begin, end]`, `offset[length, offset]`, `modulo[modulus, length]` | |
/// | `freeze[index]`, `insert[n]`, `replicate[..]`, `indexing[length, cached]` | |
/// | `xor_bits[n, n] masks [3, 2]` | with a type in place of the list, `masks S`, any [`seq!`](crate::seq!) |
/// | `linear_bits[n] columns [1, 6, 4]` | the same |
/// | `cyclic_shift[n, n]`, `inverse_cyclic_shift[n, n]`, `functor[F]` | |
#[macro_export]
macro_rules! descriptor {
    // | rule | reads |
    // |---|---|
    // | without a name | a head: attributes, visibility, name, parameters |
    // | `@base` | the base, up to its `;` |
    // | `@offset` | the base's offset, an expression up to the `;` |
    // | `@stage` | a stage at once, or its next transform |
    // | `@next` | the `,` or `;` after a transform |
    //
    // | argument | holds |
    // |---|---|
    // | `$head` | what stands before the type: `[pub type Name<P> =]` |
    // | `$below` | the type of what is composed so far |
    // | `$t`, `$lo`, `$up` | of a stage that is read one by one: the transforms, what they take, what they give |
    // | `$p` | a transform's numbers, as `__transform!` reads them |
    //
    // Nothing is left.
    () => {};
    // A condition of one declaration, which would be one of half of what it becomes.
    ($(#[doc = $doc:expr])* #[cfg $condition:tt] $($rest:tt)*) => {
        $crate::__cfg_inside! { "descriptor" }
    };
    // The head: attributes, visibility, name, parameters.
    ($(#[$meta:meta])* $vis:vis type $Name:ident: $($body:tt)*) => {
        $crate::descriptor! { @base [$(#[$meta])* $vis type $Name =] $($body)* }
    };
    ($(#[$meta:meta])* $vis:vis type $Name:ident <$($P:ident),* $(,)?>: $($body:tt)*) => {
        $crate::__of_numbers! { [$(#[$meta])* $vis] $Name [] [$($P)*] [0 1 2 3 4 5 6 7 8 9 10 11] }
        $crate::descriptor! { @base [$(#[$meta])* $vis type $Name<$($P),*> =] $($body)* }
    };
    // The base: naive or packed, with an offset or without; aligned; another descriptor.
    (@base $head:tt naive [$($l:tt)*] strides [$($s:tt)*] offset $($rest:tt)+) => {
        $crate::descriptor! { @offset $head
            [$crate::NaiveWithOffset<$crate::seq![$($l)*], $crate::seq![$($s)*],] [] $($rest)+ }
    };
    (@base $head:tt naive [$($l:tt)*] strides [$($s:tt)*]; $($rest:tt)*) => {
        $crate::descriptor! { @stage $head
            [$crate::Naive<$crate::seq![$($l)*], $crate::seq![$($s)*]>] [] [] [] $($rest)* }
    };
    (@base $head:tt packed [$($l:tt)*] offset $($rest:tt)+) => {
        $crate::descriptor! { @offset $head
            [$crate::PackedWithOffset<$crate::seq![$($l)*],] [] $($rest)+ }
    };
    // An offset is an expression, up to the `;`.
    (@offset $head:tt [$($base:tt)*] [$($o:tt)+] ; $($rest:tt)*) => {
        $crate::descriptor! { @stage $head [$($base)* $crate::number!($($o)+)>] [] [] [] $($rest)* }
    };
    (@offset $head:tt $base:tt [$($o:tt)*] $next:tt $($rest:tt)*) => {
        $crate::descriptor! { @offset $head $base [$($o)* $next] $($rest)* }
    };
    (@offset $($other:tt)*) => {
        ::core::compile_error!("descriptor!: a `;` is missing after the offset of the base");
    };
    (@base $head:tt packed [$($l:tt)*]; $($rest:tt)*) => {
        $crate::descriptor! { @stage $head
            [$crate::Packed<$crate::seq![$($l)*]>] [] [] [] $($rest)* }
    };
    (@base $head:tt aligned [$($l:tt)*] to $a:tt; $($rest:tt)*) => {
        $crate::descriptor! { @stage $head
            [$crate::Aligned<$crate::seq![$($l)*], $crate::number!($a)>] [] [] [] $($rest)* }
    };
    (@base $head:tt naive [$($l:tt)*]; $($rest:tt)*) => {
        ::core::compile_error!("naive: strides are missing: `naive [8, 16] strides [16, 1]`; `packed [8, 16]` computes them");
    };
    (@base $head:tt over $Base:ty; $($rest:tt)*) => {
        $crate::descriptor! { @stage $head [$Base] [] [] [] $($rest)* }
    };
    // A stage. What is wrong with one is found below, transform by transform.
    (@stage $head:tt [$below:ty] [] [] []
        $($name:ident [$($p:tt)*] $(strides [$($s:tt)*])? $(masks $m:tt)? $(columns $c:tt)?
            ($($lower:tt)*) -> ($($upper:tt)*)),+ ;
        $($rest:tt)*) => {
        $crate::descriptor! { @stage $head
            [$crate::Transformed<
                $below,
                ($($crate::__transform!($name $(strides [$($s)*])? $(masks $m)? $(columns $c)? [] [] $($p)*),)+),
                $crate::lower![$([$($lower)*]),+],
                $crate::upper![$([$($upper)*]),+]
            >]
            [] [] [] $($rest)* }
    };
    // One transform of a stage, then `,` or `;`.
    (@stage $head:tt $below:tt [$($t:tt)*] [$($lo:tt)*] [$($up:tt)*]
        embed [$($l:tt)*] strides [$($s:tt)*] ($($lower:tt)*) -> ($($upper:tt)*) $($rest:tt)*) => {
        $crate::descriptor! { @next $head $below
            [$($t)* $crate::Embed<$crate::seq![$($l)*], $crate::seq![$($s)*]>,]
            [$($lo)* [$($lower)*],] [$($up)* [$($upper)*],] $($rest)* }
    };
    (@stage $head:tt $below:tt [$($t:tt)*] [$($lo:tt)*] [$($up:tt)*]
        $name:ident [$($p:tt)*] $(masks $m:tt)? $(columns $c:tt)? ($($lower:tt)*) -> ($($upper:tt)*) $($rest:tt)*) => {
        $crate::descriptor! { @next $head $below
            [$($t)* $crate::__transform!($name $(masks $m)? $(columns $c)? [] [] $($p)*),]
            [$($lo)* [$($lower)*],] [$($up)* [$($upper)*],] $($rest)* }
    };
    // A `,`: a further transform of the stage.
    (@next $head:tt $below:tt $t:tt $lo:tt $up:tt , $($rest:tt)+) => {
        $crate::descriptor! { @stage $head $below $t $lo $up $($rest)+ }
    };
    (@next $head:tt $below:tt $t:tt $lo:tt $up:tt) => {
        ::core::compile_error!("descriptor!: a `;` is missing after the last stage");
    };
    // A `;`: the stage is whole.
    (@next $head:tt [$below:ty] [$($t:tt)*] [$($lo:tt)*] [$($up:tt)*] ; $($rest:tt)*) => {
        $crate::descriptor! { @stage $head
            [$crate::Transformed<$below, ($($t)*), $crate::lower![$($lo)*], $crate::upper![$($up)*]>]
            [] [] [] $($rest)* }
    };
    // The end, or the next descriptor.
    (@stage [$($head:tt)*] [$below:ty] [] [] []) => { $($head)* $below; };
    (@stage [$($head:tt)*] [$below:ty] [] [] [] $($rest:tt)+) => {
        $($head)* $below;
        $crate::descriptor! { $($rest)+ }
    };
    // What went wrong.
    (@base $head:tt $base:ident [$($l:tt)*] $(strides [$($s:tt)*])? , $($rest:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "descriptor!: `", ::core::stringify!($base), " [..]` ends with a `,`: write `;`"
        ));
    };
    (@base $head:tt $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "descriptor!: `", ::core::stringify!($($other)*), "` does not begin with a base: write ",
            "`naive [8, 16] strides [16, 1];`, `packed [8, 16];`, `aligned [8, 16] to 32;` or `over Type;`"
        ));
    };
    (@next $head:tt $below:tt $t:tt $lo:tt $up:tt $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "descriptor!: a `,` or a `;` is missing before `", ::core::stringify!($($other)*), "`"
        ));
    };
    (@stage $head:tt $below:tt $t:tt $lo:tt $up:tt $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "descriptor!: `", ::core::stringify!($($other)*), "` is not a transform: write ",
            "`xor[8, 16] (0, 1) -> (0, 1)`, its numbers, what it takes and what it gives"
        ));
    };
    // Not of the form at all.
    ($($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "descriptor!: `", ::core::stringify!($($other)*), "` is neither a transform, `xor[8, 16] (0, 1) ",
            "-> (0, 1)`, nor a descriptor, `type Name: packed [8, 16];`"
        ));
    };
}

/// The function of a descriptor that makes its plan of numbers known only at run time.
///
/// | argument | holds |
/// |---|---|
/// | `$head` | `[attributes and visibility]` |
/// | 3 | `P i ..`, the parameters that are paired with their positions |
/// | 4, 5 | the parameters and the positions that are left |
#[doc(hidden)]
#[macro_export]
macro_rules! __of_numbers {
    // Pairs one parameter.
    ($head:tt $Name:ident [$($done:tt)*] [$P:ident $($rest:ident)*] [$i:tt $($more:tt)*]) => {
        $crate::__of_numbers! { $head $Name [$($done)* $P $i] [$($rest)*] [$($more)*] }
    };
    // All are paired: the function.
    ([$(#[$meta:meta])* $vis:vis] $Name:ident [$($P:ident $i:tt)+] [] $more:tt) => {
        $(#[$meta])*
        ///
        #[doc = ::core::concat!("The plan of numbers that only the run time knows, in this order:" $(, " `", ::core::stringify!($P), "`")+, ";")]
        #[doc = ::core::concat!("the same as [`", ::core::stringify!($Name), "`](type@", ::core::stringify!($Name), ") of them.")]
        ///
        /// # Errors
        ///
        /// What is wrong with the composition.
        #[allow(non_snake_case, dead_code)]
        $vis const fn $Name(
            numbers: [u32; [$(::core::stringify!($P)),+].len()],
        ) -> ::core::result::Result<$crate::Plan, $crate::Error>
        where
            for<'a> $Name<$($crate::Parameter<$i>),+>: $crate::OfNumbers<'a>,
        {
            let form = <$Name<$($crate::Parameter<$i>),+> as $crate::OfNumbers<'_>>::FORM;
            form.plan_of(numbers, [$(::core::stringify!($P)),+])
        }
    };
    // More parameters than positions, or none: no function.
    ($head:tt $Name:ident $done:tt $rest:tt $more:tt) => {};
}

/// Refuses a condition within a macro that declares several items: a declaration becomes several.
#[doc(hidden)]
#[macro_export]
macro_rules! __cfg_inside {
    ($macro:literal) => {
        ::core::compile_error!(::core::concat!(
            $macro,
            "!: `#[cfg]` cannot stand on one declaration inside; write `#[cfg(..)] ",
            $macro,
            "! { .. }` around that declaration"
        ));
    };
}

/// The type of a transform by its CK name. Numbers are split at commas first.
///
/// | argument | holds |
/// |---|---|
/// | `$name` | CK's name |
/// | `$done` | the numbers that are read, each in braces, after `(masks)` or `(columns)` as a type |
/// | `$item` | the tokens of the next number |
/// | `$l`, `$rest` | what is left of the brackets |
///
/// `@made` gets the name and the numbers, and is the type.
#[doc(hidden)]
#[macro_export]
macro_rules! __transform {
    // Two lists: not split.
    (embed strides [$($s:tt)*] [] [] $($l:tt)*) => {
        $crate::Embed<$crate::seq![$($l)*], $crate::seq![$($s)*]>
    };
    // A list of masks or columns comes first, as a sequence or as a type.
    ($name:ident masks [$($m:tt)*] [] [] $($l:tt)*) => {
        $crate::__transform!($name [($crate::seq![$($m)*])] [] $($l)*)
    };
    ($name:ident masks $Masks:ident [] [] $($l:tt)*) => {
        $crate::__transform!($name [($Masks)] [] $($l)*)
    };
    ($name:ident columns [$($c:tt)*] [] [] $($l:tt)*) => {
        $crate::__transform!($name [($crate::seq![$($c)*])] [] $($l)*)
    };
    ($name:ident columns $Columns:ident [] [] $($l:tt)*) => {
        $crate::__transform!($name [($Columns)] [] $($l)*)
    };
    // A number ends.
    ($name:ident [$($done:tt)*] [$($item:tt)+] , $($rest:tt)*) => {
        $crate::__transform!($name [$($done)* {$($item)+}] [] $($rest)*)
    };
    // It goes on.
    ($name:ident [$($done:tt)*] [$($item:tt)*] $next:tt $($rest:tt)*) => {
        $crate::__transform!($name [$($done)*] [$($item)* $next] $($rest)*)
    };
    // The end, without a number or with the last one.
    ($name:ident [] []) => {
        ::core::compile_error!(::core::concat!("`", ::core::stringify!($name), "[]` needs at least one number"))
    };
    ($name:ident [$($done:tt)*] [$($item:tt)+]) => {
        $crate::__transform!(@made $name $($done)* {$($item)+})
    };
    // The types, by name and count of numbers.
    (@made pass {$($n:tt)*}) => { $crate::PassThrough<$crate::number!($($n)*)> };
    (@made pass_through {$($n:tt)*}) => { $crate::PassThrough<$crate::number!($($n)*)> };
    (@made merge $({$($n:tt)*})*) => { $crate::Merge<($($crate::number!($($n)*),)*)> };
    (@made unmerge $({$($n:tt)*})*) => { $crate::Unmerge<($($crate::number!($($n)*),)*)> };
    (@made replicate $({$($n:tt)*})*) => { $crate::Replicate<($($crate::number!($($n)*),)*)> };
    (@made xor {$($a:tt)*} {$($b:tt)*}) => {
        $crate::Xor<$crate::number!($($a)*), $crate::number!($($b)*)>
    };
    (@made xor_bits ($Masks:ty) {$($a:tt)*} {$($b:tt)*}) => {
        $crate::XorBits<$crate::number!($($a)*), $crate::number!($($b)*), $Masks>
    };
    (@made linear_bits ($Columns:ty) {$($n:tt)*}) => {
        $crate::LinearBits<$crate::number!($($n)*), $Columns>
    };
    (@made cyclic_shift {$($a:tt)*} {$($b:tt)*}) => {
        $crate::CyclicShift<$crate::number!($($a)*), $crate::number!($($b)*)>
    };
    (@made inverse_cyclic_shift {$($a:tt)*} {$($b:tt)*}) => {
        $crate::InverseCyclicShift<$crate::number!($($a)*), $crate::number!($($b)*)>
    };
    (@made pad {$($n:tt)*} {$($l:tt)*} {$($r:tt)*} {unchecked}) => {
        $crate::Pad<$crate::number!($($n)*), $crate::number!($($l)*), $crate::number!($($r)*), $crate::Unchecked>
    };
    (@made left_pad {$($n:tt)*} {$($l:tt)*} {unchecked}) => {
        $crate::LeftPad<$crate::number!($($n)*), $crate::number!($($l)*), $crate::Unchecked>
    };
    (@made right_pad {$($n:tt)*} {$($r:tt)*} {unchecked}) => {
        $crate::RightPad<$crate::number!($($n)*), $crate::number!($($r)*), $crate::Unchecked>
    };
    (@made pad {$($n:tt)*} {$($l:tt)*} {$($r:tt)*}) => {
        $crate::Pad<$crate::number!($($n)*), $crate::number!($($l)*), $crate::number!($($r)*), $crate::Checked>
    };
    (@made left_pad {$($n:tt)*} {$($l:tt)*}) => {
        $crate::LeftPad<$crate::number!($($n)*), $crate::number!($($l)*), $crate::Checked>
    };
    (@made right_pad {$($n:tt)*} {$($r:tt)*}) => {
        $crate::RightPad<$crate::number!($($n)*), $crate::number!($($r)*), $crate::Checked>
    };
    (@made slice {$($n:tt)*} {$($b:tt)*} {$($e:tt)*}) => {
        $crate::Slice<$crate::number!($($n)*), $crate::number!($($b)*), $crate::number!($($e)*)>
    };
    (@made offset {$($n:tt)*} {$($o:tt)*}) => {
        $crate::Offset<$crate::number!($($n)*), $crate::number!($($o)*)>
    };
    (@made modulo {$($m:tt)*} {$($n:tt)*}) => {
        $crate::Modulo<$crate::number!($($m)*), $crate::number!($($n)*)>
    };
    (@made indexing {$($n:tt)*} {$($c:tt)*}) => {
        $crate::Indexing<$crate::number!($($n)*), $crate::number!($($c)*)>
    };
    (@made freeze {$($n:tt)*}) => { $crate::Freeze<$crate::number!($($n)*)> };
    (@made insert {$($n:tt)*}) => { $crate::Insert<$crate::number!($($n)*)> };
    (@made functor {$F:ty}) => { $crate::Functor<$F> };
    // No such transform.
    (@made $name:ident $($other:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "no transform `", ::core::stringify!($name), "` takes these numbers: write pass[n], merge[n, n, ..], ",
            "unmerge[n, n, ..], xor[n, n], embed[..] strides [..], pad[low, left, right], ...",
        ))
    };
}

/// A type that is the adaptor of another, which has a value by default, unless it is refused for
/// a reason of its own.
///
/// | argument | holds |
/// |---|---|
/// | `$generics` | the parameters of the `impl`, with their bounds |
/// | `$Outer` | the type |
/// | `$Inner` | the adaptor that answers for it |
/// | `$refused` | why it is refused, an `Option<Error>` |
/// | `$digits` | its digits, where they are known by another way than by the adaptor's |
#[doc(hidden)]
#[macro_export]
macro_rules! __adaptor {
    ([$($generics:tt)*] $Outer:ty, $Inner:ty, $refused:expr) => {
        $crate::__adaptor!([$($generics)*] $Outer, $Inner, $refused, <$Inner as $crate::Adaptor>::DIGITS);
    };
    ([$($generics:tt)*] $Outer:ty, $Inner:ty, $refused:expr, $digits:expr) => {
        impl<$($generics)*> $crate::Adaptor for $Outer {
            type Rank = <$Inner as $crate::Adaptor>::Rank;
            type BottomRank = <$Inner as $crate::Adaptor>::BottomRank;
            type Moving = <$Inner as $crate::Adaptor>::Moving;

            const PLAN: ::core::result::Result<$crate::Plan, $crate::Error> = match $refused {
                ::core::option::Option::None => *<$Inner as $crate::Adaptor>::PLANNED,
                ::core::option::Option::Some(error) => ::core::result::Result::Err(error),
            };
            const PLANNED: &'static ::core::result::Result<$crate::Plan, $crate::Error> =
                match $refused {
                    ::core::option::Option::None => <$Inner as $crate::Adaptor>::PLANNED,
                    ::core::option::Option::Some(_) => &<Self as $crate::Adaptor>::PLAN,
                };
            const STEPS: &'static $crate::Steps = match $refused {
                ::core::option::Option::None => <$Inner as $crate::Adaptor>::STEPS,
                ::core::option::Option::Some(_) => &$crate::Steps::Plan(Self::PLANNED),
            };
            const FORM: &'static $crate::Form = <$Inner as $crate::Adaptor>::FORM;
            const DIGITS: ::core::option::Option<$crate::Digits> = $digits;
            const NUMBERED: ::core::option::Option<$crate::Numbered> =
                <$Inner as $crate::Adaptor>::NUMBERED;
            const CHECKS: $crate::Checks = <$Inner as $crate::Adaptor>::CHECKS;

            fn plan(&self) -> ::core::result::Result<$crate::Plan, $crate::Error> {
                <Self as $crate::Adaptor>::PLAN
            }

            #[inline(always)]
            fn lengths(&self) -> $crate::MultiIndex<Self::Rank> {
                $crate::Adaptor::lengths(&<$Inner>::default())
            }

            #[inline(always)]
            fn lower<I: $crate::Index>(
                &self,
                top: &[I],
            ) -> <Self::BottomRank as $crate::Rank>::Array<I> {
                $crate::Adaptor::lower(&<$Inner>::default(), top)
            }

            #[inline(always)]
            fn start(&self, top: &[u32]) -> Self::Moving {
                $crate::Adaptor::start(&<$Inner>::default(), top)
            }

            #[inline(always)]
            fn advance(&self, moving: &mut Self::Moving, top: &[u32], diff: &[u32]) {
                $crate::Adaptor::advance(&<$Inner>::default(), moving, top, diff);
            }

            #[inline(always)]
            fn bottom_of(moving: &Self::Moving) -> u32 {
                <$Inner as $crate::Adaptor>::bottom_of(moving)
            }

            #[inline(always)]
            fn accepts(
                &self,
                moving: &Self::Moving,
                top: &[u32],
            ) -> ::core::option::Option<bool> {
                $crate::Adaptor::accepts(&<$Inner>::default(), moving, top)
            }

            #[inline(always)]
            fn accepts_top<I: $crate::Index>(
                &self,
                top: &[I],
            ) -> ::core::option::Option<I::Mask> {
                $crate::Adaptor::accepts_top(&<$Inner>::default(), top)
            }

            #[inline(always)]
            fn in_range<I: $crate::Index>(&self, top: &[I]) -> ::core::option::Option<I::Mask> {
                $crate::Adaptor::in_range(&<$Inner>::default(), top)
            }
        }
    };
}
