import { type Html, markup, ownSource } from "./html-text.ts";

const LIGHT = ownSource`
--page: #fcfcfa; --panel: #f4f6f2; --text: #1d2420; --muted: #5a665f; --line: #dfe4dc; --accent: #1f7245;
--prompt: #e8f3ea; --code: #f2f4f0; --add: #e0f3e4; --add-text: #15602c; --del: #fbe6e3; --del-text: #9c231a;
--error: #b3261e; --warning: #7d5200; --summary: #64479b; --label: #8f4f00; --link: #0b5cad; --mark: #fbeebc; --mark-text: #5c4300;
--keyword: #8b3fa0; --string: #1c6b3f; --comment: #66716a; --number: #9a4a00; --name: #1553a6; --type: #0f6a78;
--c0: #1d2420; --c1: #b3261e; --c2: #1c6b3f; --c3: #7d5200; --c4: #1553a6; --c5: #8b3fa0; --c6: #0f6a78; --c7: #5a665f;
--g0: #d9ddd6; --g1: #f6c9c4; --g2: #c5e8cd; --g3: #f4e3ad; --g4: #cfe0f6; --g5: #ead3f1; --g6: #c6e8ec; --g7: #e4e8e1;`;

const DARK = ownSource`
--page: #121517; --panel: #181c1e; --text: #dde4df; --muted: #93a099; --line: #2a3134; --accent: #7fcf9c;
--prompt: #17281f; --code: #1a1f21; --add: #14301e; --add-text: #8edba5; --del: #3a1c1a; --del-text: #f5a59d;
--error: #ff8d82; --warning: #e3b45f; --summary: #bda6ec; --label: #e9b66b; --link: #82b8f5; --mark: #4a3c10; --mark-text: #f5dd90;
--keyword: #cf9be3; --string: #93d3a2; --comment: #8a968f; --number: #e8ad74; --name: #8fbcf5; --type: #7fcbd6;
--c0: #93a099; --c1: #ff8d82; --c2: #93d3a2; --c3: #e3b45f; --c4: #8fbcf5; --c5: #cf9be3; --c6: #7fcbd6; --c7: #dde4df;
--g0: #2a3134; --g1: #5a2320; --g2: #1d4a2b; --g3: #4d3d10; --g4: #1f3c63; --g5: #4a2a57; --g6: #14474f; --g7: #39423d;`;

const COLORS: Html = markup`
:root { ${LIGHT} color-scheme: light; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${DARK} color-scheme: dark; } }
:root[data-theme="dark"] { ${DARK} color-scheme: dark; }
@media print { :root:root:root { ${LIGHT} --page: #fff; color-scheme: light; } }
`;

const FRAME: Html = ownSource`
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); display: grid; grid-template-columns: minmax(15rem, 21rem) minmax(0, 1fr);
	font: 16px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
pre, code, .mono, .step > summary, .diff, .text.mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace; font-size: .8125rem; line-height: 1.55; tab-size: 4; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
mark { background: var(--mark); color: var(--mark-text); border-radius: 4px; padding: 0 .25em; font-style: normal; }
.muted, .note { color: var(--muted); }
.note { margin: .25rem 0; font-size: .875rem; white-space: pre-line; }

main { padding: 2.5rem clamp(1rem, 4vw, 4rem) 4rem; max-width: 62rem; width: 100%; margin: 0 auto; }
.head h1 { font-size: clamp(1.5rem, 1.1rem + 1.6vw, 2.125rem); line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .5rem; overflow-wrap: anywhere; text-wrap: balance; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.about { list-style: none; margin: 0 0 1.5rem; padding: 0; color: var(--muted); font-size: .9375rem; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.about li { overflow-wrap: anywhere; }
.sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.25rem, 1fr)); gap: .625rem; margin: 0 0 1.25rem; }
.sums div { border: 1px solid var(--line); border-radius: 12px; padding: .625rem .75rem; background: var(--panel); }
.sums dt { font-size: .75rem; color: var(--muted); }
.sums dd { margin: 0; white-space: nowrap; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.sums small { display: block; font-size: .75rem; font-weight: 500; color: var(--muted); letter-spacing: 0; }
.notice { border-left: 3px solid var(--warning); background: var(--panel); border-radius: 0 10px 10px 0; padding: .625rem 1rem; margin: 0 0 1.25rem; font-size: .875rem; }
.notice ul { margin: 0; padding: 0; list-style: none; }
.foot { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted); font-size: .8125rem; }

nav { position: sticky; top: 0; height: 100vh; height: 100dvh; overflow: auto; overscroll-behavior: contain; border-right: 1px solid var(--line); background: var(--panel); padding: 1.5rem .75rem 3rem; font-size: .8125rem; line-height: 1.4; scrollbar-width: thin; }
.contents > summary { font-weight: 600; padding: 0 .5rem .75rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.tree, .tree ol { list-style: none; margin: 0; padding: 0; }
.tree ol { margin-left: .6875rem; padding-left: .25rem; border-left: 1px solid var(--line); }
.tree summary { position: relative; }
.tree .turn > details > summary, .tree .branch > details > summary { padding-left: 1rem; }
.tree details > summary::before { content: "▸"; position: absolute; left: .125rem; top: .25rem; color: var(--muted); font-size: .75rem; }
.tree details[open] > summary::before { content: "▾"; }
.tree .row { display: flex; gap: .375rem; align-items: baseline; padding: .1875rem .5rem; border-radius: 6px; color: inherit; text-decoration: none; white-space: nowrap; overflow: hidden; }
.tree .row { display: block; text-overflow: ellipsis; }
.tree .row:hover { background: color-mix(in srgb, var(--accent) 10%, transparent); }
.tree .row[aria-current] { background: color-mix(in srgb, var(--accent) 18%, transparent); }
.tree .row.prompt { font-weight: 500; color: var(--accent); }
.tree .row.answer, .tree .row.message { color: var(--text); }
.tree .row.result, .tree .row.command, .tree .row.model { color: var(--muted); }
.tree .row.compaction, .tree .row.branch-summary { color: var(--summary); }
.tree .branch > details > summary { color: var(--summary); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; padding-block: .1875rem; }
.tree .turn-number { color: var(--muted); font-weight: 400; font-variant-numeric: tabular-nums; }
.tree .verb { color: var(--text); font-weight: 500; }
.tree .row.failed, .tree .row.failed .verb { color: var(--error); }
.tree .came { font-size: .75rem; } .tree .row.run { border: 0; padding: .1875rem .5rem; }
.contents > .tree + .tree { margin-top: .5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
.tree .left-out { margin: 0; font-size: inherit; padding: .1875rem .5rem; color: var(--muted); font-style: italic; }
.label { color: var(--label); font-weight: 600; }
.tools { position: sticky; top: 0; z-index: 1; float: right; display: flex; gap: .25rem; margin: -.1875rem 0 .25rem .5rem; }
.tools button { font: inherit; font-size: .75rem; color: var(--muted); background: var(--page); border: 1px solid var(--line); border-radius: 999px; padding: .0625rem .5rem; cursor: pointer; }
.tools button:hover { color: var(--text); border-color: var(--muted); }
`;

const CONVERSATION: Html = ownSource`
.entry { margin: 0 0 .375rem; overflow-wrap: anywhere; scroll-margin-top: 1rem; }
.entry:target { animation: found 1.6s ease-out; border-radius: 10px; }
@keyframes found { from { box-shadow: 0 0 0 4px color-mix(in srgb, var(--accent) 45%, transparent); } to { box-shadow: 0 0 0 4px transparent; } }
.entry > header { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; font-size: .8125rem; color: var(--muted); margin-bottom: .25rem; }
.entry .who { font-weight: 600; color: var(--text); }
.entry .at { margin-left: auto; color: var(--muted); text-decoration: none; font-variant-numeric: tabular-nums; font-size: .75rem; }
.entry .at:hover { text-decoration: underline; }
.entry > p.label { margin: 0 0 .25rem; font-size: .8125rem; }
.entry.prompt { background: var(--prompt); border-left: 3px solid var(--accent); border-radius: 4px 12px 12px 4px; padding: .75rem 1rem; margin: 2.25rem 0 1rem; }
.entry.prompt .who { color: var(--accent); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.text.mono { white-space: pre-wrap; margin: .25rem 0; }
.entry.answer { margin: 1rem 0; }
.entry.message { border-left: 3px solid var(--summary); padding-left: 1rem; }
.sum { color: var(--muted); font-size: .8125rem; margin: .75rem 0 0; font-variant-numeric: tabular-nums; }
.stop { font-weight: 600; margin: .5rem 0; white-space: pre-wrap; }
.rule { display: flex; align-items: center; gap: .75rem; color: var(--muted); font-size: .8125rem; margin: .25rem 0; }
.compaction > .rule, .branch-summary > .rule { margin: 1.25rem 0 .5rem; }
.rule::before, .rule::after { content: ""; flex: 1 1 1rem; min-width: 1rem; border-top: 1px solid var(--line); }
.rule .at { margin: 0; }
.compaction > .rule, .branch-summary > .rule { color: var(--summary); }
.compaction > .md, .branch-summary > .md { border: 1px solid var(--line); border-left: 3px solid var(--summary); border-radius: 4px 12px 12px 4px; padding: .25rem 1rem; }
.left-out { color: var(--muted); font-style: italic; font-size: .875rem; margin: .75rem 0; }
main .branch { border: 1px dashed var(--line); border-radius: 12px; padding: .5rem 1rem; margin: 1rem 0; }
main .branch > summary { color: var(--muted); overflow-wrap: anywhere; }
main .branch > summary .verb { color: var(--summary); font-weight: 600; }

.run { margin: 0; padding: .375rem .75rem; border-left: 3px solid var(--accent); }
.run > a { display: flex; align-items: baseline; gap: .5rem; color: inherit; text-decoration: none; }
.run > a:hover { text-decoration: underline; }
.run .verb { color: var(--accent); font-weight: 600; }
.run .came { margin-left: auto; white-space: nowrap; color: var(--muted); }
.step { border: 1px solid var(--line); border-radius: 10px; background: var(--page); overflow: hidden; }
.step > summary { display: flex; align-items: baseline; gap: .5rem; padding: .375rem .75rem; background: var(--panel); }
.step > summary::before, .thought > summary::before { content: "▸"; color: var(--muted); font-size: .75rem; flex: none; }
.step[open] > summary::before, .thought[open] > summary::before { content: "▾"; }
.step > summary:hover, .thought > summary:hover { background: color-mix(in srgb, var(--accent) 8%, var(--panel)); }
.step .verb { color: var(--accent); font-weight: 600; flex: none; }
.step .arg { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 0 1 auto; min-width: 3rem; }
.step .came { margin-left: auto; flex: none; white-space: nowrap; color: var(--muted); }
.step.failed { border-color: color-mix(in srgb, var(--error) 45%, var(--line)); }
.step.failed > summary .verb { color: var(--error); }
.step > .in > * { margin: 0; border-top: 1px solid var(--line); padding: .625rem .75rem; max-height: 36rem; overflow: auto; }
.step > .in > .image, .step > .in > .note { max-height: none; }
.step > .in > .cmd { font-weight: 600; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); }
.step > .in > .code { border-radius: 0; background: none; }
.step > .in > .diff { padding: .375rem 0; }
.files { margin: 0 0 1.25rem; } .files > summary { padding: .25rem 0; font-weight: 600; } .files > summary::before { content: "▸ "; color: var(--muted); font-size: .75rem; }
.files[open] > summary::before { content: "▾ "; } .step + .step, .files .step { margin-top: .375rem; } .files .step .came { display: flex; gap: .75rem; }
.step > .in > .where { background: var(--panel); padding-block: .25rem; font-size: .8125rem; }
.out, .code { white-space: pre-wrap; overflow-wrap: anywhere; }
.thought { color: var(--muted); margin: .25rem 0; font-size: .9375rem; }
.thought > summary { display: flex; align-items: baseline; gap: .5rem; padding: .125rem .75rem; border-radius: 8px; font-size: .875rem; }
.thought > summary .verb { flex: none; font-weight: 500; }
.thought > summary .arg { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.thought > .in { margin: .25rem 0 .75rem .8125rem; padding-left: 1rem; border-left: 2px solid var(--line); }

.md > :first-child { margin-top: 0; } .md > :last-child { margin-bottom: 0; }
.md p, .md ul, .md ol, .md blockquote { margin: .625rem 0; }
.md h3, .md h4, .md h5, .md h6 { line-height: 1.3; margin: 1.5rem 0 .5rem; letter-spacing: -.01em; }
.md h3 { font-size: 1.3125rem; } .md h4 { font-size: 1.125rem; } .md h5, .md h6 { font-size: 1rem; }
.md ul, .md ol { padding-left: 1.5rem; } .md li { margin: .1875rem 0; } .md li::marker { color: var(--muted); }
.md .task { list-style: none; margin-left: -1.25rem; }
.md blockquote { border-left: 3px solid var(--line); padding-left: 1rem; margin-left: 0; color: var(--muted); }
.md hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0; }
.md :not(pre) > code { background: var(--code); border: 1px solid var(--line); border-radius: 5px; padding: .0625rem .3125rem; font-size: .85em; overflow-wrap: anywhere; }
.raw { color: var(--muted); font-family: ui-monospace, monospace; font-size: .85em; white-space: pre-wrap; }
.block { margin: .75rem 0; position: relative; }
.block figcaption { position: absolute; right: .75rem; top: .375rem; font-size: .6875rem; color: var(--muted); }
.block .code { background: var(--code); border: 1px solid var(--line); border-radius: 10px; padding: .75rem .875rem; margin: 0; overflow-x: auto; white-space: pre; overflow-wrap: normal; }
.table { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .375rem .75rem; text-align: left; vertical-align: top; overflow-wrap: normal; }
td code, th code { white-space: nowrap; } th { font-weight: 600; border-bottom-color: var(--muted); } .right { text-align: right; } .center { text-align: center; }
.image { margin: .5rem 0; } .image img { max-width: 100%; height: auto; max-height: 70vh; object-fit: contain; border-radius: 8px; border: 1px solid var(--line); background: repeating-conic-gradient(var(--panel) 0 25%, var(--page) 0 50%) 0 0 / 16px 16px; }

.diff .l { display: flex; padding-right: .75rem; }
.diff .n { flex: none; width: 3.5em; text-align: right; color: var(--muted); } .diff .n::before { content: attr(data-n); }
.diff .sign { flex: none; width: 2em; text-align: center; color: var(--muted); } .diff .sign::before { content: attr(data-s); }
.diff .x { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; }
.diff .add { background: var(--add); } .diff .add .sign, .diff .add .n { color: var(--add-text); }
.diff .del { background: var(--del); } .diff .del .sign, .diff .del .n { color: var(--del-text); }
.diff .gap { color: var(--muted); }
.diff .t-added.b { background: color-mix(in srgb, var(--add-text) 22%, transparent); border-radius: 3px; font-weight: inherit; }
.diff .t-removed.b { background: color-mix(in srgb, var(--del-text) 22%, transparent); border-radius: 3px; font-weight: inherit; }
`;

const TEXT: Html = ownSource`
.t-muted, .t-comment { color: var(--muted); } .t-comment { color: var(--comment); font-style: italic; }
.t-error { color: var(--error); } .t-warning { color: var(--warning); } .t-summary { color: var(--summary); }
.t-added { color: var(--add-text); } .t-removed { color: var(--del-text); }
.t-keyword { color: var(--keyword); } .t-string, .t-code { color: var(--string); } .t-number { color: var(--number); }
.t-name { color: var(--name); } .t-type { color: var(--type); } .t-link { color: var(--link); } .t-heading { font-weight: 600; }
.b { font-weight: 600; } .i { font-style: italic; } .u { text-decoration: underline; } .s { text-decoration: line-through; }
.r { background: var(--text); color: var(--page); }
.c0, .c8 { color: var(--c0); } .c1, .c9 { color: var(--c1); } .c2, .c10 { color: var(--c2); } .c3, .c11 { color: var(--c3); }
.c4, .c12 { color: var(--c4); } .c5, .c13 { color: var(--c5); } .c6, .c14 { color: var(--c6); } .c7, .c15 { color: var(--c7); }
.g0, .g8 { background: var(--g0); } .g1, .g9 { background: var(--g1); } .g2, .g10 { background: var(--g2); } .g3, .g11 { background: var(--g3); }
.g4, .g12 { background: var(--g4); } .g5, .g13 { background: var(--g5); } .g6, .g14 { background: var(--g6); } .g7, .g15 { background: var(--g7); }
`;

const PLACES: Html = ownSource`
@media screen { .entry { content-visibility: auto; contain-intrinsic-size: auto 6rem; } }
@media (max-width: 900px) {
	body { display: block; }
	nav { position: sticky; z-index: 1; height: auto; max-height: 60vh; padding: .5rem .75rem; border-right: 0; border-bottom: 1px solid var(--line); }
	.contents > summary { padding: .25rem .25rem; } .contents > summary::before { content: "☰ "; color: var(--muted); }
	.contents[open] > summary { padding-bottom: .5rem; }
	main { padding: 1.25rem 1rem 4rem; }
	html, .entry { scroll-padding-top: 3.5rem; scroll-margin-top: 3.5rem; }
	table { width: max-content; } td { max-width: 16rem; } .rule .at { display: none; }
	.sums { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); }
	.step > summary { flex-wrap: wrap; } .step .arg { white-space: normal; overflow-wrap: anywhere; flex: 1 1 8rem; }
	.diff .n { width: 2.75em; } .diff .sign { width: 1.5em; }
}
@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }
@media print {
	body { display: block; font-size: 11pt; } nav, .tools { display: none; } main { max-width: none; padding: 0; }
	.step > .in > * { max-height: none; overflow: visible; } .step > summary, .entry.prompt, .image { break-inside: avoid; }
	.entry > header, .rule, .step > summary { break-after: avoid; } .block .code { white-space: pre-wrap; }
	* { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
	a { color: inherit; }
}
`;

export const PAGE_STYLE: Html = markup`${COLORS}${FRAME}${CONVERSATION}${TEXT}${PLACES}`;
