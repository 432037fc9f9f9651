//! What a kernel is expanded to, run here: the operations that CubeCL's scope has got are done one by one, for every wave
//! and lane, and give the coordinates and the masks of random distributions whose factors need not divide the tile, counted
//! by hand (`support::lists`), and the offsets of layouts.
//!
//! `cargo xtask test --deep` asks for more (`tests/support/fuzz.rs`); no device is needed.

use cubecl::ir::Scope;
use cubecl::ir::attributes::BoolAttr;
use cubecl::ir::pliron::attribute::Attribute;
use cubecl::ir::pliron::builtin::{attributes::IntegerAttr, ops::ConstantOp};
use cubecl::ir::pliron::linked_list::ContainsLinkedList;
use cubecl::ir::pliron::operation::Operation;
use cubecl::ir::pliron::value::Value;
use cubecl::prelude::*;
use std::collections::HashMap;
use support::fuzz::{Dice, cases};
use support::lists::{Covered, Lists};
use tiledesc::prelude::*;
use tiledesc::seq;
use tiledesc_cubecl::{Tiled, Traced};

/// A scope that code is written into, and the numbers that it is given.
struct Written {
    scope: Scope,
    inputs: Vec<Value>,
}

/// An operation: on which results before it.
struct Step {
    compute: fn(u32, u32) -> u32,
    of: [usize; 2],
}

/// All operations, in their order; those of the inputs and of constants are numbers.
struct Program {
    numbers: Vec<u32>,
    steps: Vec<(usize, Step)>,
    places: HashMap<Value, usize>,
}

impl Written {
    fn of_inputs(count: usize) -> Self {
        let scope = Scope::dummy();
        // A constant, taken for a number that only the run time knows.
        let input = |i: usize| NativeExpand::<u32>::from(i as u32).expand.value(&scope);
        let inputs = (0..count).map(input).collect();
        Self { scope, inputs }
    }

    fn input(&self, i: usize) -> NativeExpand<u32> {
        self.inputs[i].into()
    }

    fn program(&self) -> Program {
        let ctx = self.scope.ctx();
        let block = self.scope.inserter().get_insertion_block(ctx).unwrap();
        let mut program =
            Program { numbers: Vec::new(), steps: Vec::new(), places: HashMap::new() };
        for operation in block.deref(ctx).iter(ctx) {
            let place = program.numbers.len();
            let id = Operation::get_opid(operation, ctx).to_string();
            if let Some(constant) = Operation::get_op::<ConstantOp>(operation, ctx) {
                let value = constant.get_value(ctx);
                program.numbers.push(number(&*value));
            } else {
                let known = operation.deref(ctx);
                let operands: Vec<_> = known.operands().map(|of| program.places[&of]).collect();
                let [one, other] = operands[..] else { panic!("{id} of {operands:?}") };
                program.numbers.push(0);
                program.steps.push((place, Step { compute: compute(&id), of: [one, other] }));
            }
            program.places.insert(operation.deref(ctx).get_result(0), place);
        }
        program
    }
}

fn number(value: &dyn Attribute) -> u32 {
    match (value.downcast_ref::<IntegerAttr>(), value.downcast_ref::<BoolAttr>()) {
        (Some(integer), _) => integer.value().to_u32(),
        (_, Some(flag)) => u32::from(flag.0),
        _ => panic!("a constant that is neither a number nor a bool"),
    }
}

/// What an operation of CubeCL does.
fn compute(id: &str) -> fn(u32, u32) -> u32 {
    match id {
        "math.i_add" => u32::wrapping_add,
        "math.i_sub" => u32::wrapping_sub,
        "math.i_mul" => u32::wrapping_mul,
        "math.u_div" => |a, b| a / b,
        "math.u_rem" => |a, b| a % b,
        "bitwise.and" | "cube.bool_and" => |a, b| a & b,
        "bitwise.xor" => |a, b| a ^ b,
        "bitwise.shl" => |a, b| a << b,
        "bitwise.shr" => |a, b| a >> b,
        "cmp.u_less_than" => |a, b| u32::from(a < b),
        _ => panic!("{id} is not expected here"),
    }
}

impl Program {
    fn run(&mut self, written: &Written, inputs: &[u32]) {
        for (value, number) in written.inputs.iter().zip(inputs) {
            let place = self.places[value];
            self.numbers[place] = *number;
        }
        for (place, step) in &self.steps {
            let [one, other] = step.of.map(|of| self.numbers[of]);
            self.numbers[*place] = (step.compute)(one, other);
        }
    }

    fn of<T: Scalar + Into<cubecl::ir::ConstantValue>>(
        &self,
        scope: &Scope,
        value: NativeExpand<T>,
    ) -> u32 {
        match value.constant() {
            Some(constant) => {
                constant.try_as_u32().unwrap_or_else(|| u32::from(constant.as_bool()))
            }
            None => self.numbers[self.places[&value.expand.value(scope)]],
        }
    }
}

/// Every element of every lane of a distribution; how many there are, and how many no lane holds.
fn compare(covered: &Covered) -> Option<[u32; 2]> {
    let lists = &covered.lists;
    let [waves, lanes, elements] = [0, 1, 2].map(|owner| lists.numbers(owner));
    let encoding = covered.encoding().ok()?;
    if lists.product() > 4096 || elements > 24 {
        return None;
    }
    let written = Written::of_inputs(2);
    let scope = &written.scope;
    let expanded: Vec<_> = (0..elements)
        .map(|element| {
            let numbers = [written.input(0), written.input(1), element.into()];
            let numbers = numbers.map(|number| Traced::new(scope, number));
            let index = encoding.index_of(&numbers).map(Traced::value);
            (index, encoding.mask_of(&numbers).map(|mask| mask.value()))
        })
        .collect();
    let (mut program, held, rank) = (written.program(), covered.held(), covered.tile().len());
    let mut idle = 0;
    for (wave, lane) in (0..waves).flat_map(|wave| (0..lanes).map(move |lane| (wave, lane))) {
        program.run(&written, &[wave, lane]);
        for (element, (index, mask)) in expanded.iter().enumerate() {
            let is_held = mask.is_none_or(|mask| program.of(scope, mask) == 1);
            let wanted = &held[(wave * lanes + lane) as usize][element];
            assert_eq!(is_held, wanted.is_some(), "{covered:?}: {wave} {lane} {element}");
            idle += u32::from(!is_held);
            if let Some(wanted) = wanted {
                let found: Vec<u32> =
                    index[..rank].iter().map(|of| program.of(scope, *of)).collect();
                assert_eq!(&found, wanted, "{covered:?}: {wave} {lane} {element}");
            }
        }
    }
    Some([waves * lanes * elements, idle])
}

#[test]
fn distributions_that_do_not_divide() {
    let (mut dice, mut compared, mut idle) = (Dice(67), [0, 0], 0);
    for _ in 0..cases("expanded kernels") {
        let lists = Lists::random(&mut dice);
        let covered = Covered::random(&mut dice, lists);
        if let Some([all, none]) = compare(&covered) {
            compared = [compared[0] + 1, compared[1] + u64::from(all)];
            idle += u32::from(none > 0);
        }
    }
    println!("{} distributions, {} elements, {idle} with idle lanes", compared[0], compared[1]);
    assert!(u64::from(idle) > compared[0] / 3, "{idle} of {compared:?}");
}

/// Every coordinate of a layout.
fn offsets<L: Tiled<(u32, u32)>>() {
    let written = Written::of_inputs(2);
    let (scope, at) = (&written.scope, (written.input(0), written.input(1)));
    let element = L::__expand_element_at(scope, at);
    let (masked, valid) = L::__expand_masked_at(scope, at);
    let mut program = written.program();
    for id in 0..L::PLAN.elements() {
        let index = L::PLAN.nth(id);
        program.run(&written, index.as_slice());
        let wanted = L::PLAN.offset(index.as_slice()).ok();
        assert_eq!(program.of(scope, valid) == 1, wanted.is_some(), "{index:?}");
        if let Some(wanted) = wanted {
            assert_eq!([element, masked].map(|of| program.of(scope, of)), [wanted; 2], "{index:?}");
        }
    }
}

#[test]
fn offsets_of_layouts() {
    descriptor! {
        type Rows37: packed [37, 24]; right_pad[37, 27] (0) -> (0), pass[24] (1) -> (1);
        type Rotated: packed [24, 6, 8]; cyclic_shift[24, 6] (0, 1) -> (0, 1), pass[8] (2) -> (2);
            pass[24] (0) -> (0), merge[6, 8] (1, 2) -> (1);
    }
    layout! {
        type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
        type Layers = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
        type Padded = recipe::RowPad<F16, M<48>, K<40>, Padding<8>>;
        type Shift = recipe::RowShift<F16, M<48>, K<80>, KPack<4>>;
        type Dense = recipe::DenseXor<F16, M<48>, K<80>, KPack<2>, LinePacks<32>, seq![2, 4]>;
    }
    layout! { type Ends = Layout<F16, Rows37>; type Turned = Layout<F16, Rotated>; }
    offsets::<Xor>();
    offsets::<Layers>();
    offsets::<Padded>();
    offsets::<Shift>();
    offsets::<Dense>();
    offsets::<Ends>();
    offsets::<Turned>();
}
