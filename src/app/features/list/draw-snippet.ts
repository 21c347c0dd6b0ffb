import type { Kind } from "../../../catalog/query/kinds.ts";
import type { Snippet } from "../../../catalog/query/snippet.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { highlight, type Line, type Span, span } from "../../../ui/text/line.ts";
import { graphemeStart, joinEnds } from "../../../ui/text/width.ts";

/** What stands before a hit: who said it, or what it is. */
const LEADS: Readonly<Record<Kind, string>> = {
	name: "name: ",
	label: "label: ",
	title: "you: ",
	user: "you: ",
	assistant: "answer: ",
	summary: "summary: ",
	custom: "extension: ",
	command: "$ ",
	path: "file: ",
	tool: "tool: ",
	model: "model: ",
	cwd: "project: ",
	thinking: "thinking: ",
	arguments: "tool call: ",
	output: "output: ",
};

/** Characters of context before a hit. */
const CONTEXT = 16;

/** How a hit is drawn. */
interface HitDrawing {
	/** Whether the hit is in the title above, so that its text is left out. */
	readonly repeatsTitle?: boolean;
	/** Directory of the session: paths in it are relative to it. */
	readonly cwd?: string;
}

/** The row below the title of a result: its best hit, whether its branch is abandoned, and how many more there are. */
export function drawSnippet(
	result: SearchResult | undefined,
	width: number,
	{ repeatsTitle = false, cwd = "" }: HitDrawing = {},
): Line {
	if (result === undefined || result.best.snippet.text === "") return joinEnds([], [], width);
	const { count, more, best } = result;
	const { text, ranges } = startNear(withinProject(best.snippet, best.kind, cwd));
	const hit = [span(`    ${LEADS[best.kind]}`, "verb"), ...highlight(text, ranges, "muted")];
	const right: Span[] = [
		...(best.active ? [] : [span(" abandoned ", "warning")]),
		...(count > 1 || more ? [span(` ${moreText(count, more)} `, "muted")] : []),
	];
	return joinEnds(repeatsTitle ? [] : hit, right.length === 0 ? [span(" ")] : right, width);
}

/** "+9 hits": the entries with a hit besides the one that is shown. */
function moreText(count: number, more: boolean): string {
	return `+${formatCounted(Math.max(1, count - 1), "hit")}${more ? " or more" : ""}`;
}

/** A change of the directory before a command. */
const CHANGE_OF_DIRECTORY = /^…?[^\n]*?\bcd\s+\S+\s*(?:&&|;)\s*/;

/** The snippet without what does not tell sessions apart: `cd DIR &&` before a command, and the session's directory in paths. */
function withinProject(snippet: Snippet, kind: Kind, cwd: string): Snippet {
	const change = kind === "command" ? (CHANGE_OF_DIRECTORY.exec(snippet.text)?.[0].length ?? 0) : 0;
	let next = cutOut(snippet, 0, change);
	if (cwd === "" || cwd === "/") return next;
	const directory = `${cwd}/`;
	for (let at = next.text.indexOf(directory); at !== -1; at = next.text.indexOf(directory, at + 1))
		next = cutOut(next, at, at + directory.length);
	return next;
}

/** A snippet without a part, unless there is a match in that. */
function cutOut(snippet: Snippet, from: number, to: number): Snippet {
	const { text, ranges } = snippet;
	if (from === to || ranges.some(([start, end]) => start < to && end > from)) return snippet;
	return {
		text: text.slice(0, from) + text.slice(to),
		ranges: ranges.map(([start, end]) =>
			start < from ? ([start, end] as const) : ([start - to + from, end - to + from] as const),
		),
	};
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
