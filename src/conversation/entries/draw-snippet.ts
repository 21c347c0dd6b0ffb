import { type SessionRow, saidFirst } from "../../catalog/model/row.ts";
import { type Kind, maskOf } from "../../catalog/query/kinds.ts";
import { type Snippet, startSnippet, wordStart } from "../../catalog/query/snippet.ts";
import type { Term } from "../../catalog/query/term.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import { memoLast } from "../../shared/memo.ts";
import { prefixOf } from "../../shared/paths.ts";
import { formatCounted, shortenHome } from "../../ui/text/format.ts";
import { highlight, type Line, type Span, span } from "../../ui/text/line.ts";
import { joinText, sanitizeLine, sliceText } from "../../ui/text/sanitize.ts";
import { cutLine, ELLIPSIS, graphemeStart, joinEnds, lineWidth } from "../../ui/text/width.ts";

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
	error: "error: ",
	id: "id: ",
};

/** Characters of context before a hit. */
const CONTEXT = 16;
/** Of these last characters of a row, some are left out so that it ends at a word. */
const LAST_WORD = 16;

type ResultRow = Pick<SessionRow, "name" | "prompt" | "firstMessage" | "cwd">;

/**
 * The row below the title of a result: its best hit, whether its branch was left, and how many more there are ("+9 hits"). `terms`: what
 * was searched for; where that is only what the person said, no answer is shown instead of the hit.
 */
export function drawSnippet(
	result: SearchResult | undefined,
	width: number,
	{ row, home = "", terms }: { readonly row: ResultRow; readonly home?: string; readonly terms?: readonly Term[] },
): Line {
	const isOfPerson = terms?.some(({ kinds }) => (kinds & SAID) === maskOf(["user"])) === true;
	const text = result && (isOfPerson && result.best.snippet.text !== "" ? result.best : shownText(result, row));
	if (result === undefined) return joinEnds([], [], width);
	const { count, more, best, other = [] } = result;
	const forms = other.map(({ word, matched }) => `${sanitizeLine(matched)} for ${sanitizeLine(word)}`).join(", ");
	const right: Span[] = [
		...(forms === "" ? [] : [span(` ${forms} `, "verb")]),
		...(best.active ? [] : [span(" left ", "warning")]),
		// Not before all are counted: the number would change at once.
		...(count > 1 && !more ? [span(` +${formatCounted(count - 1, "hit")} `, "muted")] : []),
	];
	const end = right.length === 0 ? [span(" ")] : right;
	// The title says it all, but not which word was found in another form.
	if (text === undefined) return joinEnds([], forms === "" ? [] : right, width);
	const lead = span(`    ${LEADS[text.kind]}`, "verb");
	const room = width - lineWidth([lead, ...end]);
	return joinEnds([lead, ...drawText(text, row.cwd, home, room)], end, width);
}

interface ShownText {
	readonly kind: Kind;
	readonly snippet: Snippet;
}

/** What is shown below the title: the best hit; where that only repeats the title, what follows it. */
function shownText({ best, answer }: SearchResult, row: ResultRow): ShownText | undefined {
	if (best.snippet.text === "" || isInProjectName(best)) return undefined;
	if (!repeatsTitle(row, best)) return best;
	if (best.kind === "name")
		return row.firstMessage === "" ? undefined : { kind: "user", snippet: startSnippet(saidFirst(row)) };
	return answer && { kind: "assistant", snippet: answer };
}

/** Whether a hit is only in the name of the session's project, which its row shows. */
function isInProjectName({ kind, snippet: { text, ranges } }: SearchResult["best"]): boolean {
	return kind === "cwd" && ranges.every(([start]) => start >= text.search(/[^/\\]*$/));
}

const IN_TITLE = maskOf(["name", "title"]);
const SAID = maskOf(["user", "assistant"]);

/** The words of a query that a title may show. */
export const titleTerms = memoLast((terms: readonly Term[]) => terms.filter(({ kinds }) => (kinds & IN_TITLE) !== 0));

/** Whether the best hit is in the visible part of the row's title. */
export function repeatsTitle({ name, prompt }: ResultRow, { kind, snippet }: SearchResult["best"]): boolean {
	const isTitle = kind === "name" || (kind === "title" && name === undefined && prompt === undefined);
	return isTitle && !snippet.text.startsWith("…");
}

function drawText({ kind, snippet }: ShownText, cwd: string, home: string, room: number): Line {
	const short = withinProject(snippet, cwd);
	if (kind !== "path") {
		const whole = highlight(short.text, short.ranges, "muted");
		if (lineWidth(whole) <= room) return whole;
		const { text, ranges } = startNear(short);
		return cutAtWord(highlight(text, ranges, "muted"), room);
	}
	const path = shortenHome(short.text, home);
	const moved = short.text.length - path.length;
	const ranges = short.ranges
		.filter(([start]) => start >= moved)
		.map(([start, end]) => [start - moved, end - moved] as const);
	return cutStart(path, ranges, room);
}

/** The snippet without the session's directory in paths, unless there is a match in it: it is the same in all paths. */
function withinProject(snippet: Snippet, cwd: string): Snippet {
	if (cwd === "" || cwd === "/") return snippet;
	const directory = prefixOf(cwd);
	let next = snippet;
	for (let at = next.text.indexOf(directory); at !== -1; at = next.text.indexOf(directory, at + 1))
		next = cutOut(next, at, at + directory.length);
	return next;
}

/** A snippet without a part, unless there is a match in that. */
function cutOut(snippet: Snippet, from: number, to: number): Snippet {
	const { text, ranges } = snippet;
	if (ranges.some(([start, end]) => start < to && end > from)) return snippet;
	return {
		text: text.slice(0, from) + text.slice(to),
		ranges: ranges.map(([start, end]) =>
			start < from ? ([start, end] as const) : ([start - to + from, end - to + from] as const),
		),
	};
}

/** Cuts the snippet to start at a word shortly before its first hit, so that a narrow list shows the hit too. */
function startNear({ text, ranges }: Snippet): Snippet {
	const first = ranges[0]?.[0] ?? 0;
	if (first <= CONTEXT) return { text, ranges };
	return cutBefore({ text, ranges }, wordStart(text, graphemeStart(text, first - CONTEXT), first));
}

function cutBefore({ text, ranges }: Snippet, cut: number): Snippet {
	return {
		text: `…${text.slice(cut)}`,
		ranges: ranges.filter(([start]) => start >= cut).map(([start, end]) => [start - cut + 1, end - cut + 1] as const),
	};
}

function cutAtWord(line: Line, room: number): Line {
	if (lineWidth(line) <= room) return line;
	const cut = cutLine(line, room);
	const last = cut.at(-1);
	const end = last?.text.search(/\s\S*$/) ?? -1;
	if (last === undefined || end <= 0 || last.text.length - end > LAST_WORD) return cut;
	return [...cut.slice(0, -1), { ...last, text: joinText(sliceText(last.text, 0, end), ELLIPSIS) }];
}

/** Cuts the start of a path to fit, but not its first match: then the middle is left out, and the file name stays. */
function cutStart(text: string, ranges: Snippet["ranges"], room: number): Line {
	const draw = (of: Snippet): Line => highlight(of.text, of.ranges, "muted");
	const whole: Snippet = { text, ranges };
	const excess = lineWidth(draw(whole)) - room;
	if (excess <= 0) return draw(whole);
	const first = ranges[0]?.[0] ?? text.length;
	const cut = graphemeStart(text, excess + 1);
	// At a folder, if that still shows the match.
	const folder = cut + text.slice(cut).search(/[/\\]|$/);
	const at = folder < first ? folder : cut;
	if (at <= first) return draw(cutBefore(whole, at));
	const name = text.search(/[/\\][^/\\]*$/);
	const beginning = cutBefore(whole, first);
	const end = highlight(text.slice(name), [], "muted");
	return name <= first ? draw(beginning) : [...cutLine(draw(beginning), Math.max(1, room - lineWidth(end))), ...end];
}
