import { chunksOf } from "../markdown/text-chunks.ts";
import { isHighlightable } from "../render/code-lines.ts";
import type { Renderers } from "../render/renderers.ts";
import { shellLines } from "../render/shell-lines.ts";
import { escaped, type Html, markup, NOTHING, shown } from "./html-text.ts";
import { spansHtml } from "./spans-html.ts";

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
	yield markup`<pre class="out${isError ? ERROR : NOTHING}">`;
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
