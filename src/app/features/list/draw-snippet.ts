import type { Kind } from "../../../catalog/query/kinds.ts";
import type { Snippet } from "../../../catalog/query/snippet.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { highlight, span } from "../../../ui/text/span.ts";
import { graphemeStart, joinEnds } from "../../../ui/text/width.ts";

/** Where a hit is, in a word or two. */
const KIND_NAMES: Readonly<Record<Kind, string>> = {
	name: "name",
	label: "label",
	title: "user",
	user: "user",
	assistant: "assistant",
	summary: "summary",
	custom: "extension",
	command: "command",
	path: "file",
	tool: "tool",
	model: "model",
	cwd: "project",
	thinking: "thinking",
	arguments: "tool call",
	output: "tool output",
};

/** Characters of context before a hit. */
const CONTEXT = 16;

/**
 * The row below the title of a result: the number of hits, the best one, and whether its branch is abandoned.
 * `repeatsTitle`: the hit is in the title above, so its text is left out.
 */
export function drawSnippet(result: SearchResult | undefined, width: number, repeatsTitle = false): Line {
	if (result === undefined || result.best.snippet.text === "") return joinEnds([], [], width);
	const { count, more, best } = result;
	const { text, ranges } = repeatsTitle ? { text: "(the title)", ranges: [] } : startNear(best.snippet);
	const left: Span[] = [
		span(`    ${countText(count, more)}`, "muted"),
		span(`${KIND_NAMES[best.kind]} `, "verb"),
		...highlight(text, ranges, "muted"),
	];
	return joinEnds(left, best.active ? [] : [span(" abandoned ", "warning")], width);
}

/** "12 hits · ": the number of entries with a hit, as in the tree; "" for a session found by its row alone. */
function countText(count: number, more: boolean): string {
	if (count === 0) return "";
	return more ? `${formatCount(count)}+ hits · ` : `${formatCounted(count, "hit")} · `;
}

/** Cuts the snippet to start shortly before its first hit, so that a narrow list shows the hit too. */
function startNear({ text, ranges }: Snippet): Snippet {
	const cut = graphemeStart(text, (ranges[0]?.[0] ?? 0) - CONTEXT);
	if (cut <= 0) return { text, ranges };
	return {
		text: `…${text.slice(cut)}`,
		ranges: ranges.map(([start, end]) => [start - cut + 1, end - cut + 1] as const),
	};
}
