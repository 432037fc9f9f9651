"""Five kernels as anyone writes them in Triton."""
import triton
import triton.language as tl


@triton.jit
def gemm(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    deep = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for begin in range(0, k, BK):
        left = tl.load(a + rows[:, None] * k + (begin + deep)[None, :])
        right = tl.load(b + (begin + deep)[:, None] * n + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16))


@triton.jit
def attention(q, k, v, o, length, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + d[None, :])
    most = tl.full((BM,), float("-inf"), dtype=tl.float32)
    share = tl.zeros((BM,), dtype=tl.float32)
    out = tl.zeros((BM, D), dtype=tl.float32)
    for begin in range(0, length, BN):
        columns = begin + tl.arange(0, BN)
        key = tl.load(k + columns[:, None] * D + d[None, :])
        score = tl.dot(query, tl.trans(key)) * scale
        new = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp2(score - new[:, None])
        old = tl.exp2(most - new)
        share = share * old + tl.sum(weight, 1)
        value = tl.load(v + columns[:, None] * D + d[None, :])
        out = tl.dot(weight.to(tl.float16), value, out * old[:, None])
        most = new
    tl.store(o + rows[:, None] * D + d[None, :], (out / share[:, None]).to(tl.float16))


@triton.jit
def transpose(a, b, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    tile = tl.load(a + rows[:, None] * n + columns[None, :])
    tl.store(b + columns[:, None] * m + rows[None, :], tl.trans(tile))


@triton.jit
def softmax(a, b, n, BN: tl.constexpr):
    at = tl.arange(0, BN)
    row = tl.program_id(0)
    x = tl.load(a + row * n + at, mask=at < n, other=float("-inf"))
    x = tl.exp(x - tl.max(x, 0))
    tl.store(b + row * n + at, x / tl.sum(x, 0), mask=at < n)


@triton.jit
def layer_norm(a, b, weight, bias, n, eps, BN: tl.constexpr):
    at = tl.arange(0, BN)
    row = tl.program_id(0)
    x = tl.load(a + row * n + at, mask=at < n, other=0.0)
    mean = tl.sum(x, 0) / n
    centred = tl.where(at < n, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, 0) / n + eps)
    w = tl.load(weight + at, mask=at < n)
    s = tl.load(bias + at, mask=at < n)
    tl.store(b + row * n + at, centred * scale * w + s, mask=at < n)
