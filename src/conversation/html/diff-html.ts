import { type Colored, highlightHunk, markWords } from "../render/color-hunk.ts";
import { blocksOf, chunksOf, hunksOf } from "../render/diff-hunks.ts";
import type { DiffLine } from "../render/diff-lines.ts";
import { pairLines } from "../render/pair-lines.ts";
import type { Renderers } from "../render/renderers.ts";
import { type Html, markup, NOTHING, shown } from "./html-text.ts";
import { spansHtml } from "./spans-html.ts";

/** The lines of a change, the old ones above the new ones. */
export function* diffHtml(
	lines: Iterable<DiffLine>,
	language: string | undefined,
	renderers: Renderers,
): Generator<Html> {
	yield markup`<div class="diff">`;
	for (const chunk of chunksOf(lines)) {
		for (const hunk of hunksOf(chunk)) {
			const colored = highlightHunk(hunk, language, renderers);
			for (const { same, removed, added } of blocksOf(hunk)) {
				for (const pair of pairLines(removed, added)) markWords(pair, colored, renderers);
				for (const line of [...same, ...removed, ...added]) yield lineHtml(line, colored);
			}
		}
	}
	yield markup`</div>`;
}

const SIGNS = {
	same: { sign: markup` `, name: markup`` },
	removed: { sign: markup`−`, name: markup` del` },
	added: { sign: markup`+`, name: markup` add` },
	gap: { sign: markup`⋯`, name: markup` gap` },
	note: { sign: NOTHING, name: markup` gap` },
} as const satisfies Record<DiffLine["kind"], { readonly sign: Html; readonly name: Html }>;

function lineHtml(line: DiffLine, colored: Colored): Html {
	const { sign, name } = SIGNS[line.kind];
	const number = line.after ?? line.before;
	const spans = colored.get(line);
	const text = spans === undefined ? shown(line.text) : spansHtml(spans);
	return markup`<div class="l${name}"><span class="n" data-n="${number ?? NOTHING}"></span><span class="sign" data-s="${sign}"></span><span class="x">${text}</span></div>`;
}
