import { decodeHTMLStrict } from "entities/decode";
import type { MarkedToken, Token, Tokens } from "marked";
import { withoutControls } from "../markdown/plain-text.ts";
import { knownToken } from "../render/markdown-inline.ts";
import { markdownPieces } from "../render/markdown-pieces.ts";
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
		} else yield* blocksHtml(renderers.lexMarkdown(lead + piece), renderers);
	}
	yield markup`</div>`;
}

/** Blocks; no deeper in one another than the lexer lets them be. */
function* blocksHtml(tokens: readonly Token[], renderers: Renderers): Generator<Html> {
	for (const token of tokens) yield* blockHtml(token, renderers);
}

function* blockHtml(given: Token, renderers: Renderers): Generator<Html> {
	const token = knownToken(given);
	switch (token.type) {
		case "space":
		case "checkbox":
			return;
		case "heading":
			// The page's own headings are above them.
			return yield markup`<h${Math.min(6, token.depth + 2)}>${inlineHtml(token.tokens)}</h${Math.min(6, token.depth + 2)}>`;
		case "paragraph":
			return yield markup`<p>${inlineHtml(token.tokens)}</p>`;
		case "text":
			return yield inlineHtml(token.tokens ?? [token]);
		case "code":
			return yield* blockOfCode(token, renderers);
		case "blockquote":
			yield markup`<blockquote>`;
			yield* blocksHtml(token.tokens, renderers);
			return yield markup`</blockquote>`;
		case "list":
			return yield* listHtml(token, renderers);
		case "table":
			return yield tableHtml(token);
		case "hr":
			return yield markup`<hr>`;
		case "html":
		case "def":
			return yield markup`<p class="raw">${shown(token.raw.trimEnd())}</p>`;
		default:
			yield markup`<p>${inlineHtml([token])}</p>`;
	}
}

function* blockOfCode({ text, lang = "" }: Tokens.Code, renderers: Renderers): Generator<Html> {
	const [name = ""] = lang.split(/[\s,{]/, 1);
	yield markup`<figure class="block">${name === "" ? NO_HTML : markup`<figcaption>${escaped(name)}</figcaption>`}`;
	yield* codeHtml(text, name === "" ? undefined : name.toLowerCase(), renderers);
	yield markup`</figure>`;
}

function* listHtml({ ordered, start, items }: Tokens.List, renderers: Renderers): Generator<Html> {
	yield ordered ? markup`<ol start="${Number(start) || 1}">` : markup`<ul>`;
	for (const { task, checked, tokens } of items) {
		yield task ? markup`<li class="task">${checked ? DONE : OPEN} ` : markup`<li>`;
		yield* blocksHtml(tokens, renderers);
		yield markup`</li>`;
	}
	yield ordered ? markup`</ol>` : markup`</ul>`;
}

const DONE = markup`<span class="box">☑</span>`;
const OPEN = markup`<span class="box">☐</span>`;

function tableHtml({ header, rows, align }: Tokens.Table): Html {
	const cell = (name: Html, column: number, { tokens }: Tokens.TableCell): Html =>
		markup`<${name}${alignOf(align[column])}>${inlineHtml(tokens)}</${name}>`;
	const row = (name: Html, cells: readonly Tokens.TableCell[]): Html =>
		cells.reduce((made, one, column) => markup`${made}${cell(name, column, one)}`, markup`<tr>`);
	const body = rows.reduce((made, cells) => markup`${made}${row(TD, cells)}</tr>`, NO_HTML);
	return markup`<div class="table"><table><thead>${row(TH, header)}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const TH = markup`th`;
const TD = markup`td`;

function alignOf(align: string | null | undefined): Html {
	return align === "right" || align === "center" ? markup` class="${escaped(align)}"` : NO_HTML;
}

function inlineHtml(tokens: readonly Token[]): Html {
	return joined(tokens.map((token) => tokenHtml(knownToken(token))));
}

function tokenHtml(token: MarkedToken): Html {
	switch (token.type) {
		case "text":
			return token.tokens === undefined ? shown(decodeHTMLStrict(token.text)) : inlineHtml(token.tokens);
		case "escape":
			return shown(token.text);
		case "strong":
			return markup`<strong>${inlineHtml(token.tokens)}</strong>`;
		case "em":
			return markup`<em>${inlineHtml(token.tokens)}</em>`;
		case "del":
			return markup`<del>${inlineHtml(token.tokens)}</del>`;
		case "codespan":
			return markup`<code>${shown(token.text)}</code>`;
		case "br":
			return markup`<br>`;
		case "checkbox":
			return markup``;
		case "html":
			return LINE_BREAK.test(token.raw) ? markup`<br>` : markup`<span class="raw">${shown(token.raw)}</span>`;
		case "link":
			return linkHtml(token, inlineHtml(token.tokens));
		case "image":
			return linkHtml(token, markup`image: ${shown(token.text || token.href)}`);
		default:
			return shown(token.raw);
	}
}

const LINE_BREAK = /^<br ?\/?>$/i;
/** Addresses that a page may link to; nothing is ever loaded from them. */
const SAFE = /^(?:https?:\/\/|mailto:)[!-~]+$/i;
const LONGEST = 2000;

function linkHtml({ href, title }: Tokens.Link | Tokens.Image, text: Html): Html {
	const address = decodeHTMLStrict(href);
	const name = title ? decodeHTMLStrict(title) : "";
	if (address.length > LONGEST || !SAFE.test(address))
		return markup`${text} <span class="raw">(${shown(address.slice(0, LONGEST))}${shown(name === "" ? "" : ` "${name}"`)})</span>`;
	return markup`<a href="${escaped(address)}" title="${escaped(name || address)}" rel="noopener noreferrer nofollow">${text}</a>`;
}
