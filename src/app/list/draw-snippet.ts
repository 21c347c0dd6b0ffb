import type { Kind } from "../../catalog/query/kinds.ts";
import type { Snippet } from "../../catalog/query/snippet.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import type { Line, Span } from "../model/view.ts";
import { formatCount } from "../text/format.ts";
import { highlight } from "../text/highlight.ts";
import { joinEnds } from "../text/width.ts";

/** Where something was found, in a word. */
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

/** Characters before what was found. */
const CONTEXT = 16;

/**
 * The row under a result's title: how many entries have a hit, where best, and on which branch. `repeatsTitle`: the text
 * is the title that stands above it, and left out.
 */
export function drawSnippet(result: SearchResult | undefined, width: number, repeatsTitle = false): Line {
	if (result === undefined) return joinEnds([], [], width);
	const { count, more, best } = result;
	const { text, ranges } = repeatsTitle ? { text: "(the title)", ranges: [] } : startNear(best.snippet);
	const left: Span[] = [
		{ text: `    ${formatCount(count)}${more ? "+" : ""}× `, tone: "muted" },
		{ text: `${KIND_NAMES[best.kind]} `, tone: "tool" },
		...highlight(text, ranges, "muted"),
	];
	return joinEnds(left, best.active ? [] : [{ text: " abandoned ", tone: "warning" }], width);
}

/** The snippet from shortly before what was found, so that it is in sight in a narrow list too. */
function startNear({ text, ranges }: Snippet): Snippet {
	const cut = (ranges[0]?.[0] ?? 0) - CONTEXT;
	if (cut <= 0) return { text, ranges };
	return {
		text: `…${text.slice(cut)}`,
		ranges: ranges.map(([start, end]) => [start - cut + 1, end - cut + 1] as const),
	};
}
