"""The K2.5 architecture in plain torch, at toy size: MLA + MoE decoder, MoonViT tower, patch-merger projector.

Parameters are fp32 masters; `dtype` is the compute type (bf16 on CPUs that have it).  Routed experts are stacked
[E, out, in] tensors here and split into per-expert tensors at export.  `fake_quant` rounds them to int4 (group 32,
symmetric, BF16 scale) with a straight-through gradient.
"""

import math
from dataclasses import dataclass, field, asdict
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Cfg:
    vocab: int = 1712
    hidden: int = 192
    layers: int = 5
    first_dense: int = 1
    heads: int = 4
    q_lora: int = 64
    kv_lora: int = 48
    nope: int = 24
    rope: int = 16
    vdim: int = 32
    dense_inter: int = 384
    moe_inter: int = 96
    experts: int = 16
    topk: int = 2
    shared: int = 1
    routed_scale: float = 2.827
    eps: float = 1e-5
    lora_eps: float = 1e-6
    theta: float = 50000.0
    yarn_factor: float = 64.0
    yarn_orig: int = 4096
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    # vision
    v_dim: int = 128
    v_layers: int = 5
    v_heads: int = 4
    v_inter: int = 512
    v_pos: int = 16
    v_time: int = 4
    patch: int = 14
    # auxiliary heads (training only)
    n_shape: int = 9
    n_color: int = 11
    n_size: int = 3
    n_char: int = 37


# ---------------------------------------------------------------- int4
def quant_scale(w):
    """[..., out, in] -> BF16-rounded scales [..., out, in/32]"""
    g = w.reshape(*w.shape[:-1], -1, 32)
    return (g.abs().amax(-1) / 7.5).clamp_min(1e-8).bfloat16().float()


def fake_quant(w):
    s = quant_scale(w.detach()).unsqueeze(-1)
    g = w.reshape(*w.shape[:-1], -1, 32)
    q = (g.detach() / s).round().clamp(-8, 7) * s
    return (g + (q - g.detach())).reshape(w.shape)


class Grouped(torch.autograd.Function):
    """rows of x, sorted by expert, times that expert's matrix"""

    @staticmethod
    def forward(ctx, x, w, counts):
        y = x.new_empty(x.shape[0], w.shape[1])
        s = 0
        for e, c in enumerate(counts):
            if c:
                torch.mm(x[s : s + c], w[e].t(), out=y[s : s + c])
            s += c
        ctx.save_for_backward(x, w)
        ctx.counts = counts
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dy = dy.contiguous()
        dx, dw = torch.empty_like(x), torch.zeros_like(w)
        s = 0
        for e, c in enumerate(ctx.counts):
            if c:
                torch.mm(dy[s : s + c], w[e], out=dx[s : s + c])
                torch.mm(dy[s : s + c].t(), x[s : s + c], out=dw[e])
            s += c
        return dx, dw, None


def lin(i, o, std=None, bias=False):
    l = nn.Linear(i, o, bias=bias)
    nn.init.normal_(l.weight, std=std if std is not None else 0.7 / math.sqrt(i))
    if bias:
        nn.init.zeros_(l.bias)
    return l


def L(x, m):
    return F.linear(x, m.weight.to(x.dtype), None if m.bias is None else m.bias.to(x.dtype))


class RMS(nn.Module):
    def __init__(self, n, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.eps = eps

    def forward(self, x, dt):
        x = x.float()
        return (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight).to(dt)


def yarn(cfg):
    d, base, f = cfg.rope, cfg.theta, cfg.yarn_factor
    i = torch.arange(0, d, 2, dtype=torch.float64)
    extra = 1.0 / base ** (i / d)
    inter = extra / f

    def dim(rot):
        return d * math.log(cfg.yarn_orig / (rot * 2 * math.pi)) / (2 * math.log(base))

    lo, hi = max(math.floor(dim(cfg.beta_fast)), 0), min(math.ceil(dim(cfg.beta_slow)), d - 1)
    if lo == hi:
        hi += 0.001
    ramp = ((torch.arange(d // 2, dtype=torch.float64) - lo) / (hi - lo)).clamp(0, 1)
    mask = 1 - ramp
    return (inter * (1 - mask) + extra * mask).float()


def softmax_scale(cfg):
    m = 0.1 * math.log(cfg.yarn_factor) + 1.0 if cfg.yarn_factor > 1 else 1.0
    return (cfg.nope + cfg.rope) ** -0.5 * m * m


def rotate(x, cos, sin):
    """Halves layout (i, i + d/2), which is faster here; export reorders the rows to the checkpoint's interleaved pairs
    (2i, 2i+1).  x [..., S, d], cos/sin [S, d/2]; computes and returns fp32 (the fused attention is faster in fp32).
    """
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1)


class MLA(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        H = c.heads
        self.q_a_proj = lin(c.hidden, c.q_lora)
        self.q_a_layernorm = RMS(c.q_lora, c.lora_eps)
        self.q_b_proj = lin(c.q_lora, H * (c.nope + c.rope))
        self.kv_a_proj_with_mqa = lin(c.hidden, c.kv_lora + c.rope)
        self.kv_a_layernorm = RMS(c.kv_lora, c.lora_eps)
        self.kv_b_proj = lin(c.kv_lora, H * (c.nope + c.vdim))
        self.o_proj = lin(H * c.vdim, c.hidden, std=0.2 / math.sqrt(H * c.vdim))

    def forward(self, x, cos, sin, cache=None):
        c, (B, S, _), H = self.c, x.shape, self.c.heads
        q = (
            L(self.q_a_layernorm(L(x, self.q_a_proj), x.dtype), self.q_b_proj)
            .view(B, S, H, c.nope + c.rope)
            .transpose(1, 2)
        )
        qn, qr = q.split([c.nope, c.rope], -1)
        kv = L(x, self.kv_a_proj_with_mqa)
        ckv, kr = kv.split([c.kv_lora, c.rope], -1)
        kr = rotate(kr.unsqueeze(1), cos, sin)
        ckv = self.kv_a_layernorm(ckv, x.dtype)
        if cache is not None:
            if cache:
                ckv, kr = torch.cat([cache[0], ckv], 1), torch.cat([cache[1], kr], 2)
            cache[:] = [ckv, kr]
        kvb = L(ckv, self.kv_b_proj).view(B, -1, H, c.nope + c.vdim).transpose(1, 2)
        kn, v = kvb.split([c.nope, c.vdim], -1)
        qq = torch.cat([qn.float(), rotate(qr, cos, sin)], -1)
        kk = torch.cat([kn.float(), kr.expand(-1, H, -1, -1)], -1)
        v = v.float()
        pad = c.nope + c.rope - c.vdim
        if pad > 0:  # the fused kernel wants equal widths
            v = F.pad(v, (0, pad))
        o = F.scaled_dot_product_attention(qq, kk, v, is_causal=S > 1, scale=softmax_scale(c))
        o = o[..., : c.vdim].transpose(1, 2).reshape(B, S, H * c.vdim).to(x.dtype)
        return L(o, self.o_proj)


class MLP(nn.Module):
    def __init__(self, h, i):
        super().__init__()
        self.gate_proj, self.up_proj, self.down_proj = lin(h, i), lin(h, i), lin(i, h, std=0.2 / math.sqrt(i))

    def forward(self, x):
        return L(F.silu(L(x, self.gate_proj)) * L(x, self.up_proj), self.down_proj)


class MoE(nn.Module):
    qat = False

    def __init__(self, c):
        super().__init__()
        self.c = c
        E, h, i = c.experts, c.hidden, c.moe_inter
        self.gate_weight = nn.Parameter(torch.randn(E, h) * 0.5 / math.sqrt(h))
        self.register_buffer("bias", torch.zeros(E))
        self.register_buffer("load", torch.zeros(E))
        self.w_gate = nn.Parameter(torch.randn(E, i, h) * 0.7 / math.sqrt(h))
        self.w_up = nn.Parameter(torch.randn(E, i, h) * 0.7 / math.sqrt(h))
        self.w_down = nn.Parameter(torch.randn(E, h, i) * 0.2 / math.sqrt(i))
        self.shared_experts = MLP(h, i * c.shared)

    def forward(self, x):
        c, shape = self.c, x.shape
        dt = x.dtype
        x = x.reshape(-1, c.hidden)
        s = torch.sigmoid(F.linear(x.float(), self.gate_weight))
        idx = (s.detach() + self.bias).topk(c.topk, -1, sorted=False)[1]
        w = s.gather(1, idx)
        w = w / (w.sum(-1, keepdim=True) + 1e-20) * c.routed_scale
        flat = idx.reshape(-1)
        order = flat.argsort(stable=True)
        cnt = torch.bincount(flat, minlength=c.experts)
        if self.training:
            self.load += cnt.float()
        counts = cnt.tolist()
        q = fake_quant if self.qat else (lambda t: t)
        wg, wu, wd = (q(t).to(dt) for t in (self.w_gate, self.w_up, self.w_down))
        xs = x[order // c.topk]
        h = F.silu(Grouped.apply(xs, wg, counts)) * Grouped.apply(xs, wu, counts)
        y = Grouped.apply(h, wd, counts)
        inv = torch.empty_like(order)
        inv[order] = torch.arange(order.numel())
        y = (y[inv].view(-1, c.topk, c.hidden) * w.to(dt).unsqueeze(-1)).sum(1)
        return (y + self.shared_experts(x)).view(shape)


class Layer(nn.Module):
    def __init__(self, c, i):
        super().__init__()
        self.input_layernorm, self.post_attention_layernorm = RMS(c.hidden, c.eps), RMS(c.hidden, c.eps)
        self.self_attn = MLA(c)
        self.mlp = MLP(c.hidden, c.dense_inter) if i < c.first_dense else MoE(c)

    def forward(self, x, cos, sin, dt, cache=None, keep=None):
        x = x + self.self_attn(self.input_layernorm(x, dt), cos, sin, cache)
        if keep is not None:  # training: the last layer's MLP only where there is a target
            x = x.reshape(-1, x.shape[-1])[keep]
        return x + self.mlp(self.post_attention_layernorm(x, dt))


# ---------------------------------------------------------------- vision
class LN(nn.Module):
    def __init__(self, n, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n)), eps

    def forward(self, x, dt):
        return F.layer_norm(x.float(), (x.shape[-1],), self.weight, self.bias, self.eps).to(dt)


class VBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.v_dim
        self.c = c
        self.norm0, self.norm1 = LN(d), LN(d)
        self.wqkv, self.wo = lin(d, 3 * d, bias=True), lin(d, d, std=0.2 / math.sqrt(d), bias=True)
        self.fc0, self.fc1 = lin(d, c.v_inter, bias=True), lin(
            c.v_inter, d, std=0.2 / math.sqrt(c.v_inter), bias=True
        )

    def forward(self, x, cos, sin, dt):
        B, N, d = x.shape
        H = self.c.v_heads
        q, k, v = L(self.norm0(x, dt), self.wqkv).view(B, N, 3, H, d // H).permute(2, 0, 3, 1, 4)
        o = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v.float())
        x = x + L(o.transpose(1, 2).reshape(B, N, d).to(dt), self.wo)
        return x + L(F.gelu(L(self.norm1(x, dt), self.fc0), approximate="tanh"), self.fc1)


class Vision(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        d = c.v_dim
        self.patch_proj = lin(3 * c.patch**2, d, bias=True)
        self.pos = nn.Parameter(torch.randn(c.v_pos, c.v_pos, d) * 0.05)
        om = 1.0 / 10000 ** (torch.arange(d // 2, dtype=torch.float64) / (d / 2))
        a = torch.arange(c.v_time, dtype=torch.float64)[:, None] * om[None]
        self.register_buffer("time", torch.cat([a.sin(), a.cos()], 1).float(), persistent=False)
        self.blocks = nn.ModuleList([VBlock(c) for _ in range(c.v_layers)])
        self.final = LN(d)
        self.pre_norm = LN(d)
        self.proj0, self.proj2 = lin(4 * d, 4 * d, bias=True), lin(4 * d, c.hidden, bias=True)
        self.memo = {}

    def tables(self, gh, gw):
        if (gh, gw) not in self.memo:
            c = self.c
            hd = c.v_dim // c.v_heads
            f = 1.0 / 10000 ** (torch.arange(0, hd, 4, dtype=torch.float64)[: hd // 4] / hd)
            y, x = torch.meshgrid(
                torch.arange(gh, dtype=torch.float64), torch.arange(gw, dtype=torch.float64), indexing="ij"
            )
            ang = torch.stack([x.reshape(-1, 1) * f, y.reshape(-1, 1) * f], -1).flatten(
                1
            )  # x and y alternate
            eye = torch.eye(c.v_pos**2).view(1, c.v_pos**2, c.v_pos, c.v_pos)
            if (gh, gw) == (c.v_pos, c.v_pos):
                m = eye[0].flatten(1).t()
            else:
                m = F.interpolate(eye, size=(gh, gw), mode="bicubic")[0].flatten(1).t().contiguous()
            self.memo[gh, gw] = (ang.cos().float(), ang.sin().float(), m)
        return self.memo[gh, gw]

    def forward(self, px, gh, gw, dt):
        """px [B, T, gh*gw, 588] -> [B, gh*gw/4, hidden]"""
        c, (B, T, N, _) = self.c, px.shape
        cos, sin, m = self.tables(gh, gw)
        x = L(px.to(dt), self.patch_proj).float() + m @ self.pos.flatten(0, 1)
        if T > 1:
            x = x + self.time[:T, None]
            cos, sin = cos.repeat(T, 1), sin.repeat(T, 1)
        x = x.reshape(B, T * N, -1)
        for b in self.blocks:
            x = b(x, cos, sin, dt)
        x = self.final(x, torch.float32)
        x = (
            x.view(B, T, gh // 2, 2, gw // 2, 2, -1)
            .permute(0, 1, 2, 4, 3, 5, 6)
            .mean(1)
            .reshape(B, N // 4, 4, -1)
        )
        x = self.pre_norm(x, dt).reshape(B, N // 4, -1)
        return L(F.gelu(L(x, self.proj0)), self.proj2)


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.embed_tokens = nn.Embedding(c.vocab, c.hidden)
        nn.init.normal_(self.embed_tokens.weight, std=0.5)
        self.layers = nn.ModuleList([Layer(c, i) for i in range(c.layers)])
        self.norm = RMS(c.hidden, c.eps)
        self.lm_head = lin(c.hidden, c.vocab, std=0.02)
        self.vision = Vision(c)
        # training-only heads: per sub-patch (4) x (first/last frame)
        self.aux = lin(c.hidden, 4 * 2 * (c.n_shape + c.n_color + c.n_size + c.n_char), std=0.02, bias=True)
        self.aux2 = lin(
            c.hidden, 4 * (10 + 6), std=0.02, bias=True
        )  # at object centres: region of the picture / motion in the chunk
        self.inv = yarn(c)

    def rope_tables(self, a, b):
        ang = torch.arange(a, b, dtype=torch.float32)[:, None] * self.inv
        return ang.cos(), ang.sin()

    def hidden_states(self, ids, feats, pad_id, dt, caches=None, start=0, keep=None):
        """feats: [n_pad, hidden] in reading order of the placeholder tokens"""
        x = F.embedding(ids, self.embed_tokens.weight)
        if feats is not None:
            m = (ids == pad_id).view(-1).nonzero()[:, 0]
            x = x.view(-1, x.shape[-1]).index_copy(0, m, feats.float()).view(x.shape)
        cos, sin = self.rope_tables(start, start + ids.shape[1])
        for i, l in enumerate(self.layers):
            x = l(
                x,
                cos,
                sin,
                dt,
                None if caches is None else caches[i],
                keep if i == len(self.layers) - 1 else None,
            )
        return x

    def logits(self, x, dt):
        return L(self.norm(x, dt), self.lm_head).float()

    def aux_place(self, feats, where, clip):
        """where [B, gh, gw] long, -1 = no object centre here; images: region 0..9, clips: still, right, left, up, down, other"""
        B, M, _ = feats.shape
        gh, gw = where.shape[1:]
        out = L(feats, self.aux2).float().view(B, M, 4, 16)
        y = where.view(B, gh // 2, 2, gw // 2, 2).permute(0, 1, 3, 2, 4).reshape(B, M, 4)
        m = y >= 0
        if not m.any():
            return out.sum() * 0, 0.0
        z, t = (out[..., 10:] if clip else out[..., :10])[m], y[m]
        return F.cross_entropy(z, t), (z.argmax(-1) == t).float().mean().item()

    def aux_loss(self, feats, lab, T2):
        """feats [B, M, hidden]; lab [B, 2 or 1, gh, gw, 4] long."""
        c = self.c
        B, M, _ = feats.shape
        w = [c.n_shape, c.n_color, c.n_size, c.n_char]
        out = L(feats, self.aux).float().view(B, M, 2, 4, sum(w))
        gh, gw = lab.shape[2], lab.shape[3]
        lab = lab.view(B, -1, gh // 2, 2, gw // 2, 2, 4).permute(0, 1, 2, 4, 3, 5, 6).reshape(B, -1, M, 4, 4)
        loss, acc = 0.0, []
        for f in range(lab.shape[1]):
            o = out[:, :, f].split(w, -1)
            for k in range(4):
                if k == 3 and T2:
                    continue
                y = lab[:, f, :, :, k].reshape(-1)
                z = o[k].reshape(-1, w[k])
                l = F.cross_entropy(z, y, reduction="none")
                wt = torch.where(y > 0, 1.0, 0.25)
                loss = loss + (l * wt).sum() / wt.sum() * (1.5 if k == 3 else 1.0)
                pos = y > 0
                acc.append(((z.argmax(-1) == y) & pos).sum().item() / max(1, pos.sum().item()))
        return loss / lab.shape[1], acc[:4]
