import type { Line, Span } from "../../ui/text/line.ts";
import { nearestBasic } from "../../ui/theme/rgb.ts";
import { chunksOf } from "../markdown/plain-text.ts";
import { isHighlightable } from "../render/code-lines.ts";
import { blocksOf, type Colored, highlightHunk, hunksOf, markWords, pairLines } from "../render/diff-hunks.ts";
import type { DiffLine } from "../render/diff-lines.ts";
import type { Renderers } from "../render/renderers.ts";
import { shellLines } from "../render/shell-lines.ts";
import { escaped, type Html, joined, markup, NO_HTML, shown } from "./html-text.ts";

/** A code, highlighted where its language is known and it is not too large; its tabs are kept, so that it can be copied. */
export function* codeHtml(code: string, language: string | undefined, renderers: Renderers): Generator<Html> {
	yield markup`<pre class="code"><code>`;
	const text = code.replace(/\r?\n$/, "");
	const parts = language !== undefined && isHighlightable(text) ? renderers.highlightCode(text, language) : undefined;
	if (parts === undefined) yield* plainHtml(text);
	else {
		for (const { text: part, tone } of parts)
			yield tone === undefined ? shown(part) : markup`<span class="t-${escaped(tone)}">${shown(part)}</span>`;
	}
	yield markup`</code></pre>`;
}

/** What a program printed, in its own colors. */
export function* outputHtml(text: string, isError = false): Generator<Html> {
	yield markup`<pre class="out${isError ? ERROR : NO_HTML}">`;
	for (const { spans, isEnd } of shellLines(text.replace(/\s+$/, ""))) {
		yield spansHtml(spans);
		if (isEnd) yield LINE_END;
	}
	yield markup`</pre>`;
}

const ERROR = markup` t-error`;
const LINE_END: Html = markup`
`;

/** A text as it is, in pieces: it may have any length. */
export function* plainHtml(text: string): Generator<Html> {
	for (const chunk of chunksOf(text)) yield shown(chunk);
}

/** A text as it is, its own lines and blanks kept. */
export function* textHtml(text: string, name: Html): Generator<Html> {
	if (text.trim() === "") return;
	yield markup`<div class="text ${name}" dir="auto">`;
	yield* plainHtml(text.replace(/\s+$/, ""));
	yield markup`</div>`;
}

/** A drawn line as HTML: its tones, and the colors that a program chose, as classes; the style of the page has the colors. */
function spansHtml(line: Line): Html {
	const pieces = line.map((span) => {
		const names = classesOf(span);
		return names === "" ? shown(span.text) : markup`<span class="${escaped(names)}">${shown(span.text)}</span>`;
	});
	return joined(pieces);
}

/** A program's color becomes the nearest of the 16 that can be read on a light page and on a dark one. */
function classesOf({ tone, color, background, bold, italic, underline, strike, inverse }: Span): string {
	const names = [
		tone === undefined || tone === "text" ? "" : `t-${tone}`,
		color === undefined ? "" : `c${nearestBasic(color)}`,
		background === undefined ? "" : `g${nearestBasic(background)}`,
		bold ? "b" : "",
		italic ? "i" : "",
		underline ? "u" : "",
		strike ? "s" : "",
		inverse ? "r" : "",
	];
	return names.filter((name) => name !== "").join(" ");
}

/** The lines of a change, the old ones above the new ones. */
export function* diffHtml(
	lines: Iterable<DiffLine>,
	language: string | undefined,
	renderers: Renderers,
): Generator<Html> {
	yield markup`<div class="diff">`;
	for (const hunk of hunksOf(lines)) {
		const colored = highlightHunk(hunk, language, renderers);
		for (const { same, removed, added } of blocksOf(hunk)) {
			for (const pair of pairLines(removed, added)) {
				markWords(pair, colored, renderers);
				yield NO_HTML;
			}
			for (const line of [...same, ...removed, ...added]) yield lineHtml(line, colored);
		}
	}
	yield markup`</div>`;
}

const SIGNS = {
	same: { sign: markup` `, name: markup`` },
	removed: { sign: markup`−`, name: markup` del` },
	added: { sign: markup`+`, name: markup` add` },
	gap: { sign: markup`⋯`, name: markup` gap` },
	note: { sign: NO_HTML, name: markup` gap` },
} as const satisfies Record<DiffLine["kind"], { readonly sign: Html; readonly name: Html }>;

function lineHtml(line: DiffLine, colored: Colored): Html {
	const { sign, name } = SIGNS[line.kind];
	const number = line.after ?? line.before;
	const spans = colored.get(line);
	const text = spans === undefined ? shown(line.text) : spansHtml(spans);
	return markup`<div class="l${name}"><span class="n" data-n="${number ?? NO_HTML}"></span><span class="sign" data-s="${sign}"></span><span class="x">${text}</span></div>`;
}
