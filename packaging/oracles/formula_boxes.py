#!/usr/bin/env python3
"""Writes tests/data/typeset/formulas.json: where a browser puts every letter, bar and drawing of a formula.

    packaging/oracles/formula_boxes.py > tests/data/typeset/formulas.json

KaTeX and its style sheet (libjs-katex) are drawn by Chromium, which must be installed. The program's own layout is
held against these places by formula_layout_test. Lengths are in em of the formula, from the left end of its
baseline, y downwards.
"""
import html, json, os, re, subprocess, sys, tempfile

FORMULAS = [
    r"x", r"E = mc^2", r"a_i^2 + b_{i+1}", r"\frac{a}{b}", r"\frac{1}{1+\frac{1}{1+\frac{1}{x}}}", r"\dfrac{a}{b}\tfrac{c}{d}",
    r"x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}", r"\sqrt{x}", r"\sqrt[3]{x+1}", r"\sqrt{\frac{a}{b}}", r"\sqrt{\sqrt{\sqrt{x}}}",
    r"\sum_{i=1}^{n} i = \frac{n(n+1)}{2}", r"\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}", r"\prod_{k} x_k",
    r"\lim_{x \to 0} \frac{\sin x}{x} = 1", r"\oint_C \vec{F} \cdot d\vec{r}", r"\iint_D f\,dA", r"\max_{x} f(x)", r"\binom{n}{k}",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", r"\begin{bmatrix} 1 & 0 & 0 \\ 0 & 1 & 0 \\ 0 & 0 & 1 \end{bmatrix}",
    r"\begin{vmatrix} a & b \\ c & d \end{vmatrix}", r"\begin{cases} x & \text{if } x > 0 \\ -x & \text{otherwise} \end{cases}",
    r"\begin{aligned} a &= b + c \\ &= d \end{aligned}", r"\begin{array}{c|c} a & b \\ \hline c & d \end{array}",
    r"\begin{array}{l:r} a & bbb \\ \hdashline ccc & d \end{array}", r"\left( \frac{a}{b} \right)", r"\left[ \frac{\frac{a}{b}}{c} \right]",
    r"\left\{ \begin{array}{c} a \\ b \\ c \\ d \\ e \end{array} \right.", r"\left\langle \psi \middle| \phi \right\rangle",
    r"\bigl( \Bigl( \biggl( \Biggl(", r"\hat{x} \bar{y} \dot{z} \ddot{w} \tilde{u} \check{v} \acute{a} \grave{b} \breve{c}", r"\vec{v}",
    r"\widehat{abc} \widetilde{xyz}", r"\overline{AB} \underline{CD}", r"\overbrace{a+b+c}^{n} \underbrace{x+y}_{m}",
    r"\overrightarrow{AB} \overleftarrow{CD} \overleftrightarrow{EF}", r"a \xrightarrow{f} b \xleftarrow[g]{h} c", r"\stackrel{?}{=} \overset{a}{b} \underset{c}{d}",
    r"\mathbb{R} \mathcal{L} \mathfrak{g} \mathscr{F} \mathrm{d} \mathbf{v} \mathsf{S} \mathtt{T} \mathit{ab}", r"\boldsymbol{\alpha} \bm{\beta}",
    r"\alpha \beta \gamma \delta \epsilon \theta \lambda \mu \pi \sigma \phi \omega \Gamma \Delta \Omega",
    r"\forall x \in A, \exists y \notin B : x \leq y \neq z \approx w", r"\nabla \times \mathbf{E} = -\frac{\partial \mathbf{B}}{\partial t}",
    r"\text{speed} = \frac{\text{distance}}{\text{time}}", r"a \quad b \qquad c \, d \; e \! f", r"{\tiny a} {\small b} {\large c} {\Huge d}",
    r"\boxed{E = mc^2}", r"\cancel{x} \bcancel{y} \xcancel{z}", r"\sout{abc}", r"\color{red}{a} + \textcolor{#0000ff}{b}", r"\colorbox{yellow}{x} \fcolorbox{red}{aqua}{y}",
    r"\rule{1em}{0.5em} \rule[0.3em]{0.2em}{1em}", r"a \bmod b \pmod{n}", r"f'(x) = f''(y)", r"x^{y^{z^w}}", r"{}_a^b X_c^d", r"\not= \not\in",
    r"\llap{a}b \rlap{c}d \mathclap{e}f", r"\raisebox{0.5em}{up} \smash{g} \phantom{x} y", r"\displaystyle \sum_{n=0}^\infty \textstyle \sum_{n=0}^\infty",
    r"p(x \mid \mu, \sigma^2) = \frac{1}{\sqrt{2\pi\sigma^2}} \exp\left(-\frac{(x-\mu)^2}{2\sigma^2}\right)",
    r"\mathrm{softmax}(x)_i = \frac{e^{x_i}}{\sum_{j=1}^{K} e^{x_j}}", r"\operatorname{Attention}(Q,K,V) = \operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V",
    r"\hbar \ell \Re \Im \aleph \infty \partial", r"\lfloor x \rfloor \lceil y \rceil \| v \|", r"A \implies B \iff C \to D \mapsto E",
    r"\mathrm{H_2O}", r"\begin{matrix} a & \cdots & b \\ \vdots & \ddots & \vdots \\ c & \cdots & d \end{matrix}", r"\sum_{\substack{i<n \\ j<m}} a_{ij}",
    r"\sqrt{\begin{pmatrix} a \\ b \\ c \\ d \\ e \\ f \end{pmatrix}}", r"\left| \begin{matrix} 1 \\ 2 \\ 3 \\ 4 \\ 5 \\ 6 \end{matrix} \right|",
    r"\AA \text{\O \ss} \text{é à ñ}", r"\mathring{a} \widecheck{xy}", r"\underbrace{\overline{x+y}}_{\hat z}", r"\Big/ \Big\backslash \Big\uparrow \Big\Downarrow",
]

PAGE = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="file:///usr/share/javascript/katex/katex.css">
<style>body{margin:0} .case{font-size:%fpx; width:60000px; text-align:left} .katex-display>.katex{text-align:left!important}</style>
<body><script src="file:///usr/share/javascript/katex/katex.js"></script><script>
const em = 1000, formulas = %s, canvas = document.createElement("canvas").getContext("2d");
const round = x => Math.round(x * 1e4) / 1e4;
function ascent(style) {
  canvas.font = `${style.fontStyle} ${style.fontWeight} ${em}px ${style.fontFamily}`;
  return canvas.measureText("x").fontBoundingBoxAscent / em * parseFloat(style.fontSize);
}
function places(latex, display) {
  const holder = document.createElement("div"); holder.className = "case"; document.body.append(holder);
  katex.render(latex, holder, {displayMode: display, throwOnError: true, strict: "ignore", maxSize: 50});
  const root = holder.querySelector(".katex-html"), mark = document.createElement("span");
  mark.style.cssText = "display:inline-block;width:0;height:0"; root.prepend(mark);
  const origin = mark.getBoundingClientRect(), at = r => ({x: round((r.left - origin.left) / em), y: round((r.top - origin.bottom) / em), w: round(r.width / em), h: round(r.height / em)});
  const texts = [], bars = [], drawings = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_ALL);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    if (n.nodeType === 3 && n.data !== "\\u200b") {
      const range = document.createRange(); range.selectNodeContents(n);
      const style = getComputedStyle(n.parentElement), r = range.getBoundingClientRect();
      texts.push({t: n.data, x: round((r.left - origin.left) / em), y: round((r.top + ascent(style) - origin.bottom) / em), w: round(r.width / em), size: round(parseFloat(style.fontSize) / em),
                  font: style.fontFamily.split(",")[0].replace(/["']/g, ""), bold: +style.fontWeight > 500, italic: style.fontStyle === "italic"});
    } else if (n.nodeType === 1 && /(frac-line|overline-line|underline-line|hline|hdashline|rule|vertical-separator)( |$)/.test(n.getAttribute("class") || "")) {
      bars.push(at(n.getBoundingClientRect()));
    } else if (n.nodeType === 1 && n.tagName === "svg") {
      drawings.push(at(n.getBoundingClientRect()));
    }
  }
  const bases = root.querySelectorAll(":scope > .base"), last = bases[bases.length - 1].getBoundingClientRect();
  const result = {latex, display, width: round((last.right - origin.left) / em), texts, bars, drawings};
  holder.remove();
  return result;
}
(async () => {
  try {
  const faces = [...document.fonts]; await Promise.all(faces.map(f => f.load()));
  const all = []; for (const f of formulas) for (const d of [false, true]) all.push(places(f, d));
  const out = document.createElement("pre"); out.id = "out"; out.textContent = JSON.stringify({katex: katex.version, formulas: all}); document.body.append(out);
  } catch (fault) { document.body.append("fault: " + fault); }
})();
</script>"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        with open(page, "w") as file:
            file.write(PAGE % (1000 / 1.21, json.dumps(FORMULAS).replace("</", "<\\/")))
        dom = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                              "--virtual-time-budget=60000", "--user-data-dir=" + folder + "/profile", "--dump-dom", "file://" + page],
                             capture_output=True, text=True, timeout=600).stdout
    found = re.search(r'<pre id="out">(.*?)</pre>', dom, re.S)
    if not found:
        sys.exit("formula_boxes: Chromium drew nothing:\n" + dom[-300:])
    result = json.loads(html.unescape(found.group(1)))
    print('{"katex": %s, "formulas": [' % json.dumps(result["katex"]))
    print(",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in result["formulas"]))
    print("]}")


main()
