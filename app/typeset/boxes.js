// Turns KaTeX's tree of boxes into plain data: what formula_layout.cpp reads. The only script of ours, since
// QJSEngine reaches into KaTeX's objects faster from inside.
//
// A node: c classes, s style, t text, i italic correction (em), k children; h, d height and depth (em) of the
// root; v an SVG: {a: attributes, p: [path data], l: [line attributes]}.
(function () {
    "use strict";
    const deepest = 300, most = 20000;

    function pathData(path) {
        const found = / d='([^']*)'| d="([^"]*)"/.exec(path.toMarkup());
        return found ? found[1] || found[2] : "";
    }

    function packSvg(svg) {
        const packed = { a: svg.attributes, p: [], l: [] };
        for (const child of svg.children) {
            if (child.pathName !== undefined)
                packed.p.push(pathData(child));
            else if (child.attributes)
                packed.l.push(child.attributes);
        }
        return packed;
    }

    function pack(node, depth, count) {
        if (depth > deepest || ++count.n > most)
            throw new Error("the formula is too large");
        if (node.attributes && node.attributes.viewBox !== undefined || node.toMarkup && !node.classes && node.children)
            return { v: packSvg(node) };
        const packed = {};
        const classes = (node.classes || []).filter(name => name);
        if (classes.length)
            packed.c = classes;
        if (node.style && Object.keys(node.style).length)
            packed.s = node.style;
        if (node.text !== undefined)
            packed.t = node.text;
        if (node.italic > 0)
            packed.i = node.italic;
        if (node.children && node.children.length)
            packed.k = node.children.map(child => pack(child, depth + 1, count));
        return packed;
    }

    return function (latex, display) {
        try {
            const tree = katex.__renderToHTMLTree(latex, {
                displayMode: display, throwOnError: true, strict: "ignore", trust: false, maxSize: 50, maxExpand: 1000
            });
            const packed = pack(tree, 0, { n: 0 });
            packed.h = tree.height;
            packed.d = tree.depth;
            return JSON.stringify(packed);
        } catch (fault) {
            return JSON.stringify({ error: String(fault && fault.message || fault) });
        }
    };
})()
