"""Write the trained weights as a K2.5-style folder: safetensors with packed int4 experts, config, tokenizer, processor config.

usage: export.py CHECKPOINT OUTDIR [--work DIR]
"""

import json, os, shutil, sys, time
import torch
from safetensors.torch import save_file
from model import Cfg, Model, MoE, quant_scale
from chat import Tok, SPECIAL, PLAIN

BF = torch.bfloat16


def pairs(w, d):
    """halves layout (i, i + d/2) -> checkpoint layout (2i, 2i+1) along dim 0, for every block of d rows"""
    s = w.shape
    return w.reshape(-1, 2, d // 2, *s[1:]).transpose(1, 2).reshape(s).contiguous()


def pack(w):
    """fp32 [out, in] -> weight_packed I32 [out, in/8], weight_scale BF16 [out, in/32], weight_shape I32 [2] (symmetric int4, group 32).
    Nibble k of a word (bits 4k..4k+3) holds element 8*word + k, stored as q + 8."""
    s = quant_scale(w)
    q = (w.view(w.shape[0], -1, 32) / s.unsqueeze(-1)).round().clamp(-8, 7).view(w.shape).to(torch.int64) + 8
    q = q.view(w.shape[0], -1, 8)
    word = sum(q[:, :, k] << (4 * k) for k in range(8))
    word = torch.where(word >= 2**31, word - 2**32, word).to(torch.int32)
    return word.contiguous(), s.to(BF), torch.tensor(list(w.shape), dtype=torch.int32)


def tensors(model):
    c, T = model.c, {}
    B = lambda t: t.detach().to(BF).contiguous()
    P = "language_model.model."
    T[P + "embed_tokens.weight"] = B(model.embed_tokens.weight)
    T[P + "norm.weight"] = B(model.norm.weight)
    T["language_model.lm_head.weight"] = B(model.lm_head.weight)
    for i, l in enumerate(model.layers):
        Q = f"{P}layers.{i}."
        T[Q + "input_layernorm.weight"] = B(l.input_layernorm.weight)
        T[Q + "post_attention_layernorm.weight"] = B(l.post_attention_layernorm.weight)
        a = l.self_attn
        for n in ("q_a_proj", "q_a_layernorm", "kv_a_layernorm", "kv_b_proj", "o_proj"):
            T[f"{Q}self_attn.{n}.weight"] = B(getattr(a, n).weight)
        q = a.q_b_proj.weight.detach().view(c.heads, c.nope + c.rope, -1).clone()
        q[:, c.nope :] = pairs(q[:, c.nope :].reshape(c.heads * c.rope, -1), c.rope).view(c.heads, c.rope, -1)
        T[Q + "self_attn.q_b_proj.weight"] = B(q.view(-1, q.shape[-1]))
        k = a.kv_a_proj_with_mqa.weight.detach().clone()
        k[c.kv_lora :] = pairs(k[c.kv_lora :], c.rope)
        T[Q + "self_attn.kv_a_proj_with_mqa.weight"] = B(k)
        m = l.mlp
        if isinstance(m, MoE):
            T[Q + "mlp.gate.weight"] = B(m.gate_weight)
            T[Q + "mlp.gate.e_score_correction_bias"] = m.bias.detach().float().clone()
            for n in ("gate_proj", "up_proj", "down_proj"):
                T[f"{Q}mlp.shared_experts.{n}.weight"] = B(getattr(m.shared_experts, n).weight)
            for n, w in (("gate_proj", m.w_gate), ("up_proj", m.w_up), ("down_proj", m.w_down)):
                for e in range(c.experts):
                    R = f"{Q}mlp.experts.{e}.{n}."
                    T[R + "weight_packed"], T[R + "weight_scale"], T[R + "weight_shape"] = pack(w[e].detach())
        else:
            for n in ("gate_proj", "up_proj", "down_proj"):
                T[f"{Q}mlp.{n}.weight"] = B(getattr(m, n).weight)
    v, d = model.vision, c.v_dim
    T["vision_tower.patch_embed.proj.weight"] = B(v.patch_proj.weight.view(d, 3, c.patch, c.patch))
    T["vision_tower.patch_embed.proj.bias"] = B(v.patch_proj.bias)
    T["vision_tower.patch_embed.pos_emb.weight"] = B(v.pos)
    hd = d // c.v_heads
    for i, b in enumerate(v.blocks):
        Q = f"vision_tower.encoder.blocks.{i}."
        for n in ("norm0", "norm1", "wo"):
            T[f"{Q}{n}.weight"], T[f"{Q}{n}.bias"] = B(getattr(b, n).weight), B(getattr(b, n).bias)
        for n in ("fc0", "fc1"):
            T[f"{Q}mlp.{n}.weight"], T[f"{Q}mlp.{n}.bias"] = B(getattr(b, n).weight), B(getattr(b, n).bias)
        w, s = b.wqkv.weight.detach(), b.wqkv.bias.detach()
        T[Q + "wqkv.weight"] = B(torch.cat([pairs(w[: 2 * d], hd), w[2 * d :]]))
        T[Q + "wqkv.bias"] = B(torch.cat([pairs(s[: 2 * d], hd), s[2 * d :]]))
    T["vision_tower.encoder.final_layernorm.weight"], T["vision_tower.encoder.final_layernorm.bias"] = B(
        v.final.weight
    ), B(v.final.bias)
    T["mm_projector.pre_norm.weight"], T["mm_projector.pre_norm.bias"] = B(v.pre_norm.weight), B(
        v.pre_norm.bias
    )
    T["mm_projector.proj.0.weight"], T["mm_projector.proj.0.bias"] = B(v.proj0.weight), B(v.proj0.bias)
    T["mm_projector.proj.2.weight"], T["mm_projector.proj.2.bias"] = B(v.proj2.weight), B(v.proj2.bias)
    return T


def config(c, tok):
    q = {
        "quant_method": "compressed-tensors",
        "format": "pack-quantized",
        "quantization_status": "compressed",
        "kv_cache_scheme": None,
        "global_compression_ratio": None,
        "ignore": [
            "lm_head",
            "re:.*self_attn.*",
            "re:.*shared_experts.*",
            "re:.*mlp\\.(gate|up|gate_up|down)_proj.*",
            "re:.*vision_tower.*",
            "re:.*mm_projector.*",
        ],
        "config_groups": {
            "group_0": {
                "targets": ["Linear"],
                "input_activations": None,
                "output_activations": None,
                "weights": {
                    "num_bits": 4,
                    "type": "int",
                    "symmetric": True,
                    "strategy": "group",
                    "group_size": 32,
                    "dynamic": False,
                    "actorder": None,
                    "block_structure": None,
                    "observer": "minmax",
                    "observer_kwargs": {},
                },
            }
        },
    }
    t = {
        "architectures": ["DeepseekV3ForCausalLM"],
        "model_type": "kimi_k2",
        "vocab_size": c.vocab,
        "hidden_size": c.hidden,
        "intermediate_size": c.dense_inter,
        "moe_intermediate_size": c.moe_inter,
        "num_hidden_layers": c.layers,
        "num_attention_heads": c.heads,
        "num_key_value_heads": c.heads,
        "n_shared_experts": c.shared,
        "n_routed_experts": c.experts,
        "num_experts_per_tok": c.topk,
        "routed_scaling_factor": c.routed_scale,
        "first_k_dense_replace": c.first_dense,
        "moe_layer_freq": 1,
        "n_group": 1,
        "topk_group": 1,
        "topk_method": "noaux_tc",
        "scoring_func": "sigmoid",
        "norm_topk_prob": True,
        "aux_loss_alpha": 0.001,
        "seq_aux": True,
        "hidden_act": "silu",
        "q_lora_rank": c.q_lora,
        "kv_lora_rank": c.kv_lora,
        "qk_nope_head_dim": c.nope,
        "qk_rope_head_dim": c.rope,
        "v_head_dim": c.vdim,
        "rms_norm_eps": c.eps,
        "rope_theta": c.theta,
        "rope_scaling": {
            "type": "yarn",
            "factor": c.yarn_factor,
            "original_max_position_embeddings": c.yarn_orig,
            "beta_fast": c.beta_fast,
            "beta_slow": c.beta_slow,
            "mscale": 1.0,
            "mscale_all_dim": 1.0,
        },
        "max_position_embeddings": 4096,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "tie_word_embeddings": False,
        "use_cache": True,
        "bos_token_id": tok.special["[BOS]"],
        "eos_token_id": tok.special["<|im_end|>"],
        "pad_token_id": tok.special["[PAD]"],
        "torch_dtype": "bfloat16",
        "initializer_range": 0.02,
        "num_nextn_predict_layers": 0,
        "quantization_config": q,
    }
    v = {
        "model_type": "kimi_k25",
        "patch_size": c.patch,
        "init_pos_emb_height": c.v_pos,
        "init_pos_emb_width": c.v_pos,
        "init_pos_emb_time": c.v_time,
        "pos_emb_type": "divided_fixed",
        "vt_num_attention_heads": c.v_heads,
        "vt_num_hidden_layers": c.v_layers,
        "vt_hidden_size": c.v_dim,
        "vt_intermediate_size": c.v_inter,
        "merge_kernel_size": [2, 2],
        "merge_type": "sd2_tpool",
        "video_attn_type": "spatial_temporal",
        "mm_projector_type": "patchmerger",
        "mm_hidden_size": c.v_dim,
        "projector_hidden_act": "gelu",
        "projector_ln_eps": 1e-5,
        "text_hidden_size": c.hidden,
    }
    return {
        "architectures": ["KimiK25ForConditionalGeneration"],
        "model_type": "kimi_k25",
        "demo": True,
        "torch_dtype": "bfloat16",
        "tie_word_embeddings": False,
        "ignore_index": -100,
        "media_placeholder_token_id": tok.special["<|media_pad|>"],
        "use_unified_vision_chunk": True,
        "video_placeholder": "<|kimi_k25_video_placeholder|>",
        "bos_token_id": t["bos_token_id"],
        "eos_token_id": t["eos_token_id"],
        "pad_token_id": t["pad_token_id"],
        "text_config": t,
        "vision_config": v,
    }


TEMPLATE = r"""{%- macro render_content(msg) -%}
    {%- set c = msg.get('content') -%}
    {%- if c is string -%}{{ c }}
    {%- elif c is not none -%}
      {%- for p in c -%}
        {%- if p['type'] == 'image' or p['type'] == 'image_url' -%}
          {{ '<|media_begin|>image<|media_content|><|media_pad|><|media_end|>\n' }}
        {%- elif p['type'] == 'video' or p['type'] == 'video_url' -%}
          {{ '<|kimi_k25_video_placeholder|>\n' }}
        {%- else -%}{{ p['text'] }}{%- endif -%}
      {%- endfor -%}
    {%- endif -%}
{%- endmacro -%}
{%- macro head(m) -%}
  {%- set name = m.get('name') or m['role'] -%}
  {%- if m['role'] == 'user' -%}<|im_user|>{{ name }}<|im_middle|>
  {%- elif m['role'] == 'assistant' -%}<|im_assistant|>{{ name }}<|im_middle|>
  {%- else -%}<|im_system|>{{ name }}<|im_middle|>{%- endif -%}
{%- endmacro -%}
{%- macro calls(m) -%}
  {%- if m.get('tool_calls') -%}
    <|tool_calls_section_begin|>
    {%- for t in m['tool_calls'] -%}
      <|tool_call_begin|>{{ t['id'] }}<|tool_call_argument_begin|>{% if t['function']['arguments'] is string %}{{ t['function']['arguments'] }}{% else %}{{ t['function']['arguments'] | tojson }}{% endif %}<|tool_call_end|>
    {%- endfor -%}
    <|tool_calls_section_end|>
  {%- endif -%}
{%- endmacro -%}
{%- set ns = namespace(last=-1) -%}
{%- for m in messages -%}{%- if m['role'] == 'assistant' and not m.get('tool_calls') -%}{%- set ns.last = loop.index0 -%}{%- endif -%}{%- endfor -%}
{%- if tools -%}<|im_system|>tool_declare<|im_middle|>{%- if tools_ts_str -%}{{ tools_ts_str }}{%- else -%}{{ tools | tojson(separators=(',', ':')) }}{%- endif -%}<|im_end|>{%- endif -%}
{%- for m in messages -%}
  {{ head(m) }}
  {%- if m['role'] == 'assistant' -%}
    <think>{% if loop.index0 > ns.last and not (thinking is defined and thinking is false) and m.get('reasoning_content') %}{{ m['reasoning_content'] }}{% endif %}</think>{{ render_content(m) }}{{ calls(m) }}
  {%- elif m['role'] == 'tool' -%}
    {{ '## Return of ' ~ m.get('tool_call_id', '') ~ '\n' }}{{ render_content(m) }}
  {%- else -%}{{ render_content(m) }}{%- endif -%}
  <|im_end|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|im_assistant|>assistant<|im_middle|>{%- if thinking is defined and thinking is false -%}<think></think>{%- else -%}<think>{%- endif -%}{%- endif -%}
"""


def main(ck, out, work):
    d = torch.load(ck, weights_only=False)
    c = Cfg(**d["cfg"])
    tok = Tok(f"{work}/tiktoken.model")
    model = Model(c)
    model.load_state_dict(d["model"], strict=False)
    os.makedirs(out, exist_ok=True)
    for f in os.listdir(out):
        if f.endswith(".safetensors"):
            os.remove(f"{out}/{f}")
    T = tensors(model)
    names = sorted(T)
    # two shards, as real checkpoints have several
    shards = [
        [n for n in names if not n.startswith(("vision", "mm_"))],
        [n for n in names if n.startswith(("vision", "mm_"))],
    ]
    index, total = {}, 0
    for i, ns in enumerate(shards):
        f = f"model-{i + 1:05d}-of-{len(shards):06d}.safetensors"
        save_file({n: T[n] for n in ns}, f"{out}/{f}", metadata={"format": "pt"})
        for n in ns:
            index[n] = f
            total += T[n].numel() * T[n].element_size()
    json.dump(
        {"metadata": {"total_size": total}, "weight_map": index},
        open(f"{out}/model.safetensors.index.json", "w"),
        indent=0,
    )
    json.dump(config(c, tok), open(f"{out}/config.json", "w"), indent=2)
    json.dump(
        {
            "bos_token_id": tok.special["[BOS]"],
            "eos_token_id": tok.special["<|im_end|>"],
            "pad_token_id": tok.special["[PAD]"],
            "max_length": 4096,
            "do_sample": False,
            "temperature": 0.0,
        },
        open(f"{out}/generation_config.json", "w"),
        indent=2,
    )
    shutil.copy(f"{work}/tiktoken.model", f"{out}/tiktoken.model")
    n = tok.n_base
    json.dump(
        {
            "added_tokens_decoder": {
                str(n + k): {
                    "content": v,
                    "lstrip": False,
                    "normalized": False,
                    "rstrip": False,
                    "single_word": False,
                    "special": k not in PLAIN,
                }
                for k, v in SPECIAL.items()
            },
            "bos_token": "[BOS]",
            "eos_token": "[EOS]",
            "pad_token": "[PAD]",
            "unk_token": "[UNK]",
            "model_max_length": 4096,
            "tokenizer_class": "TikTokenTokenizer",
            "clean_up_tokenization_spaces": False,
            "additional_special_tokens": [
                v for k, v in SPECIAL.items() if v.startswith("<|") or v == "[EOT]"
            ],
        },
        open(f"{out}/tokenizer_config.json", "w"),
        indent=2,
    )
    open(f"{out}/chat_template.jinja", "w").write(TEMPLATE)
    json.dump(
        {
            "media_proc_cfg": {
                "in_patch_limit": 92,
                "patch_size": 14,
                "image_mean": [0.5, 0.5, 0.5],
                "image_std": [0.5, 0.5, 0.5],
                "merge_kernel_size": 2,
                "fixed_output_tokens": None,
                "patch_limit_on_one_side": 16,
                "in_patch_limit_each_frame": 36,
                "in_patch_limit_video": None,
                "sample_fps": 2.0,
                "max_num_frames_each_video": 16,
                "temporal_merge_kernel_size": 4,
                "timestamp_mode": "hh:mm:ss.fff",
                "config_type": "media_proc.processors.moonvit.MoonViTMediaProcessorConfig",
            }
        },
        open(f"{out}/preprocessor_config.json", "w"),
        indent=2,
    )
    size = sum(os.path.getsize(f"{out}/{f}") for f in os.listdir(out))
    print(f"{len(T)} tensors, {total} bytes of weights, {size} bytes in {out}")


if __name__ == "__main__":
    work = sys.argv[sys.argv.index("--work") + 1] if "--work" in sys.argv else "work"
    main(sys.argv[1], sys.argv[2], work)
