import type { ComparedEnd, ComparedTurn } from "../../../conversation/branches/compare-ends.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { filesPart, type Sum } from "../../../conversation/entries/turn-sum.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCost, formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutWords, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import { firstRows } from "./draw-path.ts";

/** Cells of a text that numbers beside it leave. */
const LEAST_TEXT = 24;

interface TurnDrawing {
	readonly width: number;
	readonly rows: number;
	readonly selected: boolean;
	readonly home: string;
}

/** A turn of one of two compared ends in `rows` rows: its prompt with what it came to, and as much of its last answer as fits. */
export function drawTurn(
	turn: ComparedTurn | undefined,
	{ session }: ComparedEnd,
	{ width, rows, selected, home }: TurnDrawing,
): readonly Line[] {
	const lead = span(selected ? "› " : "  ", "accent");
	const onGround = (line: Line, ground: Span["ground"]): Line =>
		joinEnds(line, [], width).map((part) => (ground === undefined ? part : { ...part, ground }));
	const cursor = selected ? "cursor" : undefined;
	const filled = (lines: readonly Line[]): readonly Line[] =>
		Array.from({ length: rows }, (_, at) => lines[at] ?? onGround([], cursor));
	if (turn === undefined) return filled([onGround([lead, span("–", "muted")], cursor)]);
	const { prompt, answer, sum } = turn;
	const [words, answerText] = turnTexts(turn, session, home);
	const numbers = sumForms(sum).find((form) => lineWidth(form) + LEAST_TEXT <= width) ?? [];
	const promptSpan: Span = {
		...span(cutWords(sanitizeLine(words), width - 3 - lineWidth(numbers)), prompt === undefined ? "muted" : "prompt"),
		bold: prompt !== undefined,
	};
	const tone = answer === undefined ? "muted" : "text";
	const answerRows = firstRows(answerText, width - 3, rows - 1).map((text) =>
		onGround([span("  "), { text, tone }], cursor),
	);
	const band = prompt === undefined ? undefined : "prompt";
	return filled([
		onGround(joinEnds([lead, promptSpan], [...numbers, span(" ")], width), cursor ?? band),
		...answerRows,
	]);
}

/** What a turn shows of its prompt and of its last answer. */
export function turnTexts(
	{ prompt, answer }: ComparedTurn,
	session: Session,
	home: string,
): readonly [prompt: string, answer: string] {
	const place = placeOf(session, home);
	const textOf = (entry: SessionEntry): string => {
		const { mark, verb, text } = describeRow(entry, session, place);
		return [mark?.text, verb?.text, text].filter((word) => word !== undefined && word !== "").join(" ");
	};
	return [
		prompt === undefined ? "the rest of that turn" : textOf(prompt),
		answer === undefined ? "no answer" : textOf(answer),
	];
}

/** "1✗ 2 files $0.38", the longest form first. */
function sumForms(sum: Sum): readonly Line[] {
	const failed = sum.errors > 0 ? [span(` ${formatCount(sum.errors)}✗`, "error")] : [];
	const cost = sum.cost > 0 ? [span(` ${formatCost(sum.cost)}`, "muted")] : [];
	const files = sum.files.size === 0 ? [] : [span(` ${filesPart(sum)}`, "muted")];
	return [[...failed, ...files, ...cost], [...failed, ...cost], failed];
}

/** "3 turns · 2 files · 1✗ · $0.27", the longest form first: what an end came to since the paths parted. */
export function endForms({ sum }: ComparedEnd): readonly Line[] {
	const turns = span(formatCounted(sum.turns, "turn"), "muted");
	const files = span(` · ${formatCounted(sum.files.size, "file")}`, "muted");
	const failed = sum.errors === 0 ? [] : [span(" · ", "muted"), span(`${formatCount(sum.errors)}✗`, "error")];
	const cost = span(` · ${formatCost(sum.cost)}`, "muted");
	return [[turns, files, ...failed, cost], [turns, ...failed, cost], [turns, cost], []];
}
