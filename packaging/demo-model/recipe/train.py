"""Train.  Stages (see README.md):
  train.py vision --minutes 12 --out W/vision.pt            tower + projector from the auxiliary labels only
  train.py text   --minutes 12 --out W/text.pt              decoder on text and tool conversations
  train.py joint  --minutes 60 --init W/vision.pt W/text.pt --out W/joint.pt [--procs 2] [--qat-from 0.6]
  train.py joint  --minutes 60 --resume W/joint.pt ...      go on from saved weights and optimiser state
The learning rate follows the clock: flat, then linear to 4 % over the last `--decay` of the time.
"""

import argparse, os, random, sys, time
import torch
import torch.distributed as dist
import torch.nn.functional as F
from model import Cfg, Model, MoE
from data import DIETS, Fresh, Pools, vision_batch, chat_batch
from chat import Tok


class Opt:
    """Muon for matrices inside blocks, AdamW for the rest."""

    def __init__(self, model, names=None):
        self.m, self.a = [], []
        for n, p in model.named_parameters():
            if names and not any(n.startswith(x) for x in names):
                continue
            mat = p.ndim >= 2 and not any(
                k in n for k in ("embed_tokens", "lm_head", "vision.pos", "aux", "gate_weight", "patch_proj")
            )
            (self.m if mat else self.a).append((n, p))
        self.s = {}
        self.t = 0
        self.rank, self.world = 0, 1

    def share(self, rank, world):
        """Split the orthogonalisation work between the processes (balanced by cost)."""
        self.rank, self.world = rank, world
        cost, self.owner = [0.0] * world, {}
        for n, p in sorted(self.m, key=lambda x: -x[1].numel() * min(x[1].shape[-2:])):
            r = cost.index(min(cost))
            self.owner[n] = r
            cost[r] += p.numel() * min(p.shape[-2:])

    def params(self):
        return [p for _, p in self.m + self.a]

    @torch.no_grad()
    def step(self, lr0, vision_lr=1.0):
        self.t += 1
        for n, p in self.m:
            if p.grad is None:
                continue
            lr = lr0 * (vision_lr if n.startswith("vision") else 1.0)
            b = self.s.setdefault(n, torch.zeros_like(p))
            b.mul_(0.95).add_(p.grad)
            if self.world > 1 and self.owner[n] != self.rank:
                continue
            g = p.grad.add(b, alpha=0.95)
            X = g.bfloat16()
            tr = X.shape[-2] > X.shape[-1]
            if tr:
                X = X.mT
            X = X / (X.norm(dim=(-2, -1), keepdim=True) + 1e-7)
            for _ in range(5):
                A = X @ X.mT
                B = -4.7750 * A + 2.0315 * A @ A
                X = 3.4445 * X + B @ X
            if tr:
                X = X.mT
            p.mul_(1 - lr * 0.02 * 0.05)
            p.add_(X.float(), alpha=-lr * 0.02 * max(1, p.shape[-2] / p.shape[-1]) ** 0.5)
        for r in range(self.world if self.world > 1 else 0):
            mine = [p for n, p in self.m if self.owner[n] == r and p.grad is not None]
            flat = torch.cat([p.flatten() for p in mine])
            dist.broadcast(flat, r)
            if r != self.rank:
                for p, v in zip(mine, flat.split([p.numel() for p in mine])):
                    p.copy_(v.view_as(p))
        sq = sum(p.grad.pow(2).sum() for _, p in self.a if p.grad is not None) ** 0.5
        clip = min(1.0, 1.0 / (float(sq) + 1e-9))
        b1, b2 = 0.9, 0.97
        for n, p in self.a:
            if p.grad is None:
                continue
            if n not in self.s:
                self.s[n] = [torch.zeros_like(p), torch.zeros_like(p)]
            m, v = self.s[n]
            g = p.grad * clip
            m.lerp_(g, 1 - b1)
            v.lerp_(g * g, 1 - b2)
            lr = lr0 * (vision_lr if n.startswith("vision") else 1.0)
            base = 4e-3 if ("embed" in n or "lm_head" in n) else 2e-3
            if p.ndim >= 2 and "embed" not in n:
                p.mul_(1 - lr * base * 0.02)
            p.addcdiv_(m / (1 - b1**self.t), (v / (1 - b2**self.t)).sqrt() + 1e-8, value=-lr * base)


def factor(u, decay):
    return 1.0 if u < 1 - decay else max(0.04, 0.04 + 0.96 * (1 - u) / decay)


def chat_loss(model, tok, b, dt, aux_w):
    feats, extra, acc = None, 0.0, None
    if b["px"] is not None:
        f = model.vision(b["px"], *b["grid"], dt)
        if aux_w > 0:
            clip = b["px"].shape[1] > 1
            extra, acc = model.aux_loss(f, b["lab"], clip)
            e2, a2 = model.aux_place(f, b["where"], clip)
            extra, acc = extra + e2, acc[:3] + ([a2] if clip else [acc[3], a2])
        if "tail" in b:
            n = b["tail"].shape[0]
            f = torch.cat(
                [f.view(n, -1, *f.shape[1:]), model.vision(b["tail"], *b["grid"], dt).unsqueeze(1)], 1
            )
        feats = f.reshape(-1, f.shape[-1])
    keep = (b["tgt"].view(-1) >= 0).nonzero()[:, 0]
    h = model.hidden_states(b["ids"], feats, tok.media_pad, dt, keep=keep)
    ce = F.cross_entropy(model.logits(h, dt), b["tgt"].view(-1)[keep], reduction="sum")
    return ce, keep.numel(), extra, acc


def save(path, model, opt, extra):
    torch.save(
        {"model": model.state_dict(), "opt": opt.s, "t": opt.t, "cfg": model.c.__dict__, **extra},
        path + ".tmp",
    )
    os.rename(path + ".tmp", path)


def open_pools(args):
    return Fresh() if args.fresh else Pools(f"{args.work}/pool/*.pkl", args.shards)


def worker(rank, args, counter, pools=None):
    torch.set_num_threads(1)
    torch.manual_seed(7)
    world = args.procs
    if world > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(args.port))
        dist.init_process_group("gloo", rank=rank, world_size=world)
    tok = Tok(f"{args.work}/tiktoken.model")
    model = Model(Cfg(vocab=tok.vocab)).train()
    dt = torch.float32 if args.fp32 else torch.bfloat16
    names = {"vision": ["vision", "aux"], "text": ["embed", "layers", "norm", "lm_head"], "joint": None}[
        args.mode
    ]
    opt = Opt(model, names)
    if world > 1:
        opt.share(rank, world)
    step = 0
    for p in args.init or []:
        d = torch.load(p, weights_only=False)
        part = (
            ("vision", "aux") if "vision" in os.path.basename(p) else ("embed", "layers", "norm", "lm_head")
        )
        model.load_state_dict({k: v for k, v in d["model"].items() if k.startswith(part)}, strict=False)
        if args.keep_state:
            opt.s.update({k: v for k, v in d["opt"].items() if k.startswith(part)})
            opt.t = max(opt.t, d["t"])
    if args.resume and os.path.exists(args.resume):
        d = torch.load(args.resume, weights_only=False)
        model.load_state_dict(d["model"], strict=False)
        opt.s, opt.t, step = d["opt"], d["t"], d.get("step", 0)
    if pools is None and args.mode != "text":
        pools = open_pools(args)
    crowd = None
    diet = DIETS[args.diet]
    saved = time.time()
    step0, t0, tl = step, time.time(), time.time()
    rng = random.Random(args.seed * 1000 + rank + step * 7)
    stat = {}
    while True:
        u = (time.time() - t0) / (args.minutes * 60)
        if world > 1:
            x = torch.tensor([u])
            dist.broadcast(x, 0)
            u = x.item()
        if u >= 1:
            break
        warm = min(1.0, (step - step0 + 1) / args.warmup)
        lr = args.lr * warm * factor(u, args.decay)
        MoE.qat = args.mode != "vision" and u >= args.qat_from
        for p in opt.params():
            p.grad = None
        ntok = 0
        if args.mode == "vision":
            if step == step0:
                crowd = Pools(f"{args.work}/dense/*.pkl")
            px, g, lab, v = vision_batch(rng, pools, 48, crowd if crowd.seen else None)
            loss, acc = model.aux_loss(model.vision(px, *g, dt), lab, v)
            loss.backward()
            k = "clip" if v else "img"
            s = stat.setdefault(k, [0, 0, [0] * 4])
            s[0] += loss.item()
            s[1] += 1
            s[2] = [a + b for a, b in zip(s[2], acc + [0] * (4 - len(acc)))]
        else:
            while True:
                if world > 1:
                    with counter.get_lock():
                        i = counter.value
                        if i >= (step - step0 + 1) * args.micro:
                            break
                        counter.value += 1
                else:
                    i = ntok and 1
                    if ntok and stat["_n"] % args.micro == 0:
                        break
                kinds = [k for k in diet["mix"] if args.mode == "joint" or k in ("text", "tool", "copy")]
                kind = rng.choices(kinds, [diet["mix"][k] for k in kinds])[0]
                easy = max(0.1, args.easy * (1 - 2 * u))
                b = chat_batch(rng, tok, pools, kind, args.batch, easy, diet)
                ce, n, extra, acc = chat_loss(model, tok, b, dt, args.aux if args.mode == "joint" else 0)
                (ce + extra * args.aux * n if torch.is_tensor(extra) else ce).backward()
                ntok += n
                stat["_n"] = stat.get("_n", 0) + 1
                stat["_tok"] = stat.get("_tok", 0) + b["ids"].numel()
                s = stat.setdefault(kind, [0.0, 0, [0] * 5])
                s[0] += ce.item()
                s[1] += n
                if acc:
                    s[2] = [0.9 * a + 0.1 * c for a, c in zip(s[2], acc + [0] * (5 - len(acc)))]
            if world > 1:
                ps = opt.params()
                moes = [l.mlp for l in model.layers if isinstance(l.mlp, MoE)]
                flat = torch.cat(
                    [(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in ps]
                    + [m.load for m in moes]
                    + [torch.tensor([float(ntok)])]
                )
                dist.all_reduce(flat)
                ntok = flat[-1].item()
                o = 0
                for p in ps:
                    p.grad = flat[o : o + p.numel()].view_as(p).clone()
                    o += p.numel()
                for m in moes:
                    m.load.copy_(flat[o : o + m.load.numel()])
                    o += m.load.numel()
            for p in opt.params():
                if p.grad is not None:
                    p.grad /= max(1, ntok)
        opt.step(lr, args.vision_lr if args.mode == "joint" else 1.0)
        with torch.no_grad():
            for l in model.layers:
                if isinstance(l.mlp, MoE) and l.mlp.load.sum() > 0:
                    l.mlp.bias += (
                        args.balance
                        * torch.sign(l.mlp.load.mean() - l.mlp.load)
                        * max(0.1, factor(u, args.decay))
                    )
                    last_load = (l.mlp.load / l.mlp.load.sum()).max().item()
                    l.mlp.load.zero_()
        step += 1
        if step % args.log == 0 and rank == 0:
            now = time.time()
            line = f"step {step} u {u:.3f} lr {lr:.3f} {(now - tl) / args.log:.2f}s/step"
            for k, s in stat.items():
                if k[0] != "_":
                    line += f" | {k} {s[0] / max(1, s[1]):.3f}"
                    if args.mode == "vision":
                        line += " [" + " ".join(f"{a / s[1]:.2f}" for a in s[2]) + "]"
                    elif any(s[2]):
                        line += " [" + " ".join(f"{a:.2f}" for a in s[2]) + "]"
            if "_tok" in stat:
                line += f" | {stat['_tok'] / (now - tl):.0f} tok/s here, max load {last_load:.2f}"
            print(line, flush=True)
            keepacc = {k: [0.0, 0, s[2]] for k, s in stat.items() if k[0] != "_" and args.mode == "joint"}
            stat, tl = keepacc, now
            if pools and step % (args.log * 5) == 0:
                pools.refresh()
                if args.mode == "vision":
                    crowd.refresh()
        elif step % args.log == 0:
            stat = {}
            if pools and step % (args.log * 5) == 0:
                pools.refresh()
        if rank == 0 and (step % args.save == 0 or time.time() - saved > 60 * args.save_minutes):
            save(args.out, model, opt, {"step": step})
            saved = time.time()
    if rank == 0:
        save(args.out, model, opt, {"step": step})
        print("done", step, flush=True)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("mode", choices=["vision", "text", "joint"])
    ap.add_argument("--work", default="work")
    ap.add_argument("--out", required=True)
    ap.add_argument("--init", nargs="*")
    ap.add_argument("--resume")
    ap.add_argument("--minutes", type=float, required=True)
    ap.add_argument("--procs", type=int, default=1)
    ap.add_argument("--lr", type=float, default=1.0)
    ap.add_argument("--decay", type=float, default=0.5)
    ap.add_argument("--warmup", type=int, default=40)
    ap.add_argument("--micro", type=int, default=4)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--aux", type=float, default=0.15)
    ap.add_argument(
        "--vision-lr",
        type=float,
        default=0.4,
        help="joint stage: learning-rate factor of the already trained tower",
    )
    ap.add_argument(
        "--easy",
        type=float,
        default=0.6,
        help="share of one-object pictures at the start (falls to 0.1 by half time)",
    )
    ap.add_argument("--balance", type=float, default=0.004)
    ap.add_argument("--qat-from", type=float, default=2.0)
    ap.add_argument("--shards", type=int, default=10**9)
    ap.add_argument("--log", type=int, default=10)
    ap.add_argument("--save", type=int, default=50)
    ap.add_argument("--save-minutes", type=float, default=4, help="save after so many minutes, too")
    ap.add_argument("--diet", choices=list(DIETS), default="even", help="what is asked how often")
    ap.add_argument("--fresh", action="store_true", help="joint stage: draw every batch new, without pools")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--port", type=int, default=29511)
    ap.add_argument("--fp32", action="store_true")
    ap.add_argument("--keep-state", action="store_true")
    a = ap.parse_args()
    if a.procs == 1:
        worker(0, a, None)
    else:
        import torch.multiprocessing as mp

        torch.set_num_threads(1)
        ctx = mp.get_context("fork")  # the picture pools are loaded once and shared between the processes
        pools = open_pools(a) if a.mode != "text" else None
        c = ctx.Value("q", 0)
        ps = [ctx.Process(target=worker, args=(r, a, c, pools)) for r in range(a.procs)]
        for p in ps:
            p.start()
        for p in ps:
            p.join()
        sys.exit(max(p.exitcode for p in ps))
