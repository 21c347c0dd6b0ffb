import { rangesIn } from "../../../catalog/query/snippet.ts";
import type { Use, UsedText } from "../../../catalog/uses/use.ts";
import { commandRow } from "../../../conversation/entries/place.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { outcomeSpans } from "../../../conversation/entries/use-outcome.ts";
import { projectKey } from "../../../shared/paths.ts";
import { formatCount, timeCell } from "../../../ui/text/format.ts";
import { highlight, type Line, type Span, span } from "../../../ui/text/line.ts";
import { cleanText, startOf } from "../../../ui/text/sanitize.ts";
import { cutText, graphemeStart, joinEnds, lineWidth, padText } from "../../../ui/text/width.ts";
import { projectNames } from "../../world/list/projects.ts";
import type { State } from "../../world/state/state.ts";
import { USES, type UseRow } from "./uses-state.ts";

/** From this width on, rows show the project, in at most this many cells. */
const PROJECT_FROM_WIDTH = 76;
const WIDEST_PROJECT = 16;
/** Cells of the number of uses: "999×". */
const COUNT_WIDTH = 5;
const ROW_CHARS = 1000;
/** Share of the room for the text before a match that would otherwise not be in sight. */
const CONTEXT_SHARE = 0.4;

export function drawUseRow(state: State, row: UseRow, selected: boolean, width: number): Line {
	const sign = span(selected ? "› " : "  ", "accent");
	const { use } = row;
	const right = rightOf(state, use, width);
	const when = span(`${timeCell(use.time, state.now, width)} `, "muted");
	if (row.kind === "use") {
		const session = state.catalog.rows.get(use.path);
		const title = session === undefined ? cleanText("a session that is gone") : sessionTitle(session);
		return joinEnds([sign, when, span(`${" ".repeat(COUNT_WIDTH)} └ `, "frame"), span(title, "muted")], right, width);
	}
	const count = row.text.uses.length;
	const often = span(`${count === 1 ? "" : `${formatCount(count)}×`} `.padStart(COUNT_WIDTH + 1), "label");
	const start: Span[] = [sign, when, often, ...(row.isOpen ? [span("⊟ ", "accent")] : []), ...verbOf(use)];
	const room = width - lineWidth(start) - lineWidth(right);
	return joinEnds([...start, ...textOf(state, row.text, use, room)], right, width);
}

function rightOf(state: State, use: Use, width: number): Line {
	return [...endOf(use), ...projectOf(state, use, width)];
}

/** The sign for who ran a command: "!" for the person, as in pi, "$" for the model. */
function verbOf({ kind, by }: Use): Span[] {
	return kind === "prompt" ? [] : [span(by === "person" ? "! " : "$ ", "verb")];
}

function endOf(use: Use): Span[] {
	const spans = outcomeSpans(use);
	return spans.length === 0 ? [] : [span("  "), ...spans];
}

function projectOf({ catalog }: State, { path }: Use, width: number): Span[] {
	if (width < PROJECT_FROM_WIDTH) return [span(" ")];
	const { names, width: widest } = projectNames(catalog.rows);
	const cells = Math.min(WIDEST_PROJECT, widest);
	const name = names.get(projectKey(catalog.rows.get(path)?.cwd ?? ""));
	const text = padText(cutText(name?.text ?? cleanText(""), cells), cells);
	return [span("  "), { text, tone: "muted" }, span(" ")];
}

/** The text on one line, shifted so that its first match is in sight. */
function textOf(state: State, { text }: UsedText, { kind, path }: Use, room: number): Line {
	const cwd = state.catalog.rows.get(path)?.cwd ?? "";
	const { home } = state.environment;
	const short = kind === "command" ? commandRow(text, { cwd, home }) : text;
	const line = startOf(short.replace(/\s+/g, " "), ROW_CHARS);
	const ranges = rangesIn(line, USES.of(state).parsed.query.terms);
	const from = graphemeStart(line, startFor(line, ranges[0], room));
	if (from <= 0) return highlight(line, ranges, "text");
	const shifted = ranges.map(([start, end]) => [start - from + 1, end - from + 1] as const);
	return highlight(`…${line.slice(from)}`, shifted, "text");
}

/** Where the visible part of a line begins, so that it contains the match and leaves no room unused at the end. */
function startFor(line: string, match: readonly [start: number, end: number] | undefined, room: number): number {
	if (match === undefined || match[1] < room) return 0;
	const [start] = match;
	return Math.max(0, Math.min(start - Math.floor(room * CONTEXT_SHARE), line.length - room + ELLIPSIS));
}

/** Cells of the sign for omitted text. */
const ELLIPSIS = 1;
