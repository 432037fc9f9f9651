// C = A * B^T, of which A is M x K, B is N x K and C is M x N, all rows; any M, N and K. A block of 256
// units for each 32 x 32 of C, two buffers of A and B in workgroup memory.
//
// No address is computed here: what begins with A_, B_, store_, read_, rows_ and sum_ was written by
// tiledesc for a layout of each tile, and stands before this text.

struct Size { m: u32, n: u32, k: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> size: Size;

var<workgroup> tile_a: array<vec4<f32>, 2u * A_BYTES / 16u>;
var<workgroup> tile_b: array<vec4<f32>, 2u * B_BYTES / 16u>;
var<private> next_a: array<vec4<f32>, store_a_COUNT>;
var<private> next_b: array<vec4<f32>, store_b_COUNT>;

const STEP = A_LENGTH_K;
const STEPS = STEP / 4u;

fn fetch(m0: u32, n0: u32, k0: u32, wave: u32, lane: u32) {
    for (var e = 0u; e < rows_COUNT; e++) {
        var of_a = 0.0;
        var of_b = 0.0;
        if rows_valid(m0, k0, size.m, size.k, wave, lane, e) { of_a = a[rows_offset(m0, k0, size.k, wave, lane, e)]; }
        if rows_valid(n0, k0, size.n, size.k, wave, lane, e) { of_b = b[rows_offset(n0, k0, size.k, wave, lane, e)]; }
        next_a[e / 4u][e % 4u] = of_a;
        next_b[e / 4u][e % 4u] = of_b;
    }
}

fn store(there: u32, wave: u32, lane: u32) {
    for (var i = 0u; i < store_a_COUNT; i++) {
        let at = there * A_BYTES + store_a_address(wave, lane, i) + store_a_immediate(i);
        tile_a[at / 16u] = next_a[store_a_element(i) / 4u];
    }
    for (var i = 0u; i < store_b_COUNT; i++) {
        let at = there * B_BYTES + store_b_address(wave, lane, i) + store_b_immediate(i);
        tile_b[at / 16u] = next_b[store_b_element(i) / 4u];
    }
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) unit: u32, @builtin(workgroup_id) block: vec3<u32>) {
    let wave = unit / 64u;
    let lane = unit % 64u;
    let m0 = block.y * A_LENGTH_M;
    let n0 = block.x * B_LENGTH_N;
    let steps = (size.k + STEP - 1u) / STEP;
    var part_a: array<vec4<f32>, read_a_COUNT>;
    var part_b: array<vec4<f32>, read_b_COUNT>;
    var sums: array<f32, sum_COUNT>;
    fetch(m0, n0, 0u, wave, lane);
    store(0u, wave, lane);
    workgroupBarrier();
    for (var step = 0u; step < steps; step++) {
        let here = step % 2u;
        let more = step + 1u < steps;
        if more { fetch(m0, n0, (step + 1u) * STEP, wave, lane); }
        for (var i = 0u; i < read_a_COUNT; i++) {
            let at = here * A_BYTES + read_a_address(wave, lane, i) + read_a_immediate(i);
            part_a[read_a_element(i) / 4u] = tile_a[at / 16u];
        }
        for (var i = 0u; i < read_b_COUNT; i++) {
            let at = here * B_BYTES + read_b_address(wave, lane, i) + read_b_immediate(i);
            part_b[read_b_element(i) / 4u] = tile_b[at / 16u];
        }
        // A unit holds whole rows of A and of B, and of C what they make.
        for (var e = 0u; e < sum_COUNT; e++) {
            let of_a = e / (read_b_COUNT / STEPS) * STEPS;
            let of_b = e % (read_b_COUNT / STEPS) * STEPS;
            for (var deep = 0u; deep < STEPS; deep++) {
                sums[e] += dot(part_a[of_a + deep], part_b[of_b + deep]);
            }
        }
        if more { store(1u - here, wave, lane); }
        workgroupBarrier();
    }
    for (var e = 0u; e < sum_COUNT; e++) {
        if sum_valid(m0, n0, size.m, size.n, wave, lane, e) {
            c[sum_offset(m0, n0, size.n, wave, lane, e)] = sums[e];
        }
    }
}
