import { withoutControls } from "../markdown/plain-text.ts";
import { markdownPieces } from "../render/markdown-pieces.ts";
import type { MarkdownBlock, MarkdownCell, MarkdownInline } from "../render/read-markdown.ts";
import type { Renderers } from "../render/renderers.ts";
import { codeHtml, plainHtml } from "./code-html.ts";
import { escaped, type Html, joined, markup, NO_HTML, shown } from "./html-text.ts";

/** A Markdown text as HTML, piece by piece. HTML in it is shown as it is written. */
export function* markdownHtml(text: string, renderers: Renderers): Generator<Html> {
	if (text.trim() === "") return;
	yield markup`<div class="md" dir="auto">`;
	for (const { text: piece, lead, isPlain } of markdownPieces(withoutControls(text))) {
		if (isPlain) {
			yield markup`<p>`;
			yield* plainHtml(piece);
			yield markup`</p>`;
		} else yield* blocksHtml(renderers.readMarkdown(lead + piece), renderers);
	}
	yield markup`</div>`;
}

function* blocksHtml(blocks: readonly MarkdownBlock[], renderers: Renderers): Generator<Html> {
	for (const block of blocks) yield* blockHtml(block, renderers);
}

function* blockHtml(block: MarkdownBlock, renderers: Renderers): Generator<Html> {
	switch (block.kind) {
		case "prose": {
			// The page's own headings are above them.
			const name = block.level === 0 ? P : markup`h${Math.min(6, block.level + 2)}`;
			return yield markup`<${name}>${inlineHtml(block.text)}</${name}>`;
		}
		case "code":
			return yield* blockOfCode(block, renderers);
		case "quote":
			yield markup`<blockquote>`;
			yield* blocksHtml(block.blocks, renderers);
			return yield markup`</blockquote>`;
		case "list":
			return yield* listHtml(block, renderers);
		case "table":
			return yield tableHtml(block);
		case "rule":
			return yield markup`<hr>`;
		case "raw":
			yield markup`<p class="raw">${shown(block.text.trimEnd())}</p>`;
	}
}

const P = markup`p`;

function* blockOfCode({ text, info }: { readonly text: string; readonly info: string }, renderers: Renderers) {
	const [name = ""] = info.split(/[\s,{]/, 1);
	yield markup`<figure class="block">${name === "" ? NO_HTML : markup`<figcaption>${escaped(name)}</figcaption>`}`;
	yield* codeHtml(text, name === "" ? undefined : name.toLowerCase(), renderers);
	yield markup`</figure>`;
}

type BlockOf<Kind extends MarkdownBlock["kind"]> = Extract<MarkdownBlock, { readonly kind: Kind }>;

function* listHtml({ isOrdered, items }: BlockOf<"list">, renderers: Renderers): Generator<Html> {
	yield isOrdered ? markup`<ol start="${items[0]?.number || 1}">` : markup`<ul>`;
	for (const { isDone, blocks } of items) {
		yield isDone === undefined ? markup`<li>` : markup`<li class="task">${isDone ? DONE : OPEN} `;
		yield* blocksHtml(blocks, renderers);
		yield markup`</li>`;
	}
	yield isOrdered ? markup`</ol>` : markup`</ul>`;
}

const DONE = markup`<span class="box">☑</span>`;
const OPEN = markup`<span class="box">☐</span>`;

function tableHtml({ head, rows }: BlockOf<"table">): Html {
	const cell = (name: Html, { text, align }: MarkdownCell): Html =>
		markup`<${name}${alignOf(align)}>${inlineHtml(text)}</${name}>`;
	const row = (name: Html, cells: readonly MarkdownCell[]): Html =>
		cells.reduce((made, one) => markup`${made}${cell(name, one)}`, markup`<tr>`);
	const body = rows.reduce((made, cells) => markup`${made}${row(TD, cells)}</tr>`, NO_HTML);
	return markup`<div class="table"><table><thead>${row(TH, head)}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const TH = markup`th`;
const TD = markup`td`;

function alignOf(align: MarkdownCell["align"]): Html {
	return align === "right" || align === "center" ? markup` class="${escaped(align)}"` : NO_HTML;
}

function inlineHtml(parts: readonly MarkdownInline[]): Html {
	return joined(parts.map(partHtml));
}

const MARKS = [
	["strike", markup`del`],
	["italic", markup`em`],
	["bold", markup`strong`],
] as const;

function partHtml(part: MarkdownInline): Html {
	if (part.kind === "break") return markup`<br>`;
	return MARKS.reduce(
		(made, [mark, name]) => (part.marks[mark] === true ? markup`<${name}>${made}</${name}>` : made),
		unmarkedHtml(part),
	);
}

function unmarkedHtml(part: Exclude<MarkdownInline, { readonly kind: "break" }>): Html {
	switch (part.kind) {
		case "text":
			return shown(part.text);
		case "code":
			return markup`<code>${shown(part.text)}</code>`;
		case "raw":
			return markup`<span class="raw">${shown(part.text)}</span>`;
		case "link":
			return linkHtml(part, inlineHtml(part.inside));
		case "image":
			return linkHtml(part, markup`image: ${shown(part.text || part.address)}`);
	}
}

/** Addresses that a page may link to; nothing is ever loaded from them. */
const SAFE = /^(?:https?:\/\/|mailto:)[!-~]+$/i;
const LONGEST = 2000;

function linkHtml({ address, title }: { readonly address: string; readonly title: string }, text: Html): Html {
	if (address.length > LONGEST || !SAFE.test(address))
		return markup`${text} <span class="raw">(${shown(address.slice(0, LONGEST))}${shown(title === "" ? "" : ` "${title}"`)})</span>`;
	return markup`<a href="${escaped(address)}" title="${escaped(title || address)}" rel="noopener noreferrer nofollow">${text}</a>`;
}
