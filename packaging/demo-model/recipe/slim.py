"""Saved weights in BF16 without the optimiser's state, as `train.py --resume` takes them.

usage: slim.py IN.pt OUT.pt
"""

import sys
import torch

if __name__ == "__main__":
    d = torch.load(sys.argv[1], weights_only=False)
    d["model"] = {k: v.bfloat16() if v.is_floating_point() else v for k, v in d["model"].items()}
    torch.save({**d, "opt": {}, "t": 0}, sys.argv[2])
