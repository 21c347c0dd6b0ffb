import { titleText } from "../../../conversation/entries/session-title.ts";
import type { LineEdit } from "../../../edits/blame.ts";
import { shownNumber } from "../../../edits/shown-lines.ts";
import { formatCount, formatCounted, formatDayTime } from "../../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, joinEnds } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { MenuView } from "../../../ui/view.ts";
import { keyHints } from "../../world/keys/key.ts";
import { mostTextRows, overlayBox, overlayWidth, textColumns } from "../../world/screen/menus.ts";
import type { BlameOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { type BlamedNow, blamedNow, turnOfEdit } from "./blame-state.ts";

/** Cells of the text: the box does not change its size with the line. */
const TEXT_CELLS = 90;
/** Rows of the text that are always there. */
const LEAST_ROWS = 3;
const MOST_CANDIDATES = 4;
/** Cells of the words before what they name. */
const NAME_CELLS = 12;

const TONES = { exact: "added", candidates: "warning", unknown: "muted" } as const satisfies Record<string, Tone>;

/** The box that says who wrote a line, above or below that line. */
export function selectBlame(state: State, overlay: BlameOverlay): MenuView | undefined {
	const blamed = blamedNow(state);
	if (blamed === undefined) return undefined;
	const { size } = state;
	const width = overlayWidth(TEXT_CELLS, size);
	const room = textColumns(width);
	const body = bodyOf(blamed, state, room).slice(0, Math.max(1, mostTextRows(size)));
	const box = overlayBox(width, Math.max(LEAST_ROWS, body.length), size);
	const row = overlay.source.rowOf(state, blamed.line) ?? 0;
	const isBelow = row < size.rows / 2;
	return {
		...box,
		y: isBelow ? Math.max(0, size.rows - 1 - box.height) : Math.min(1, size.rows - box.height),
		kind: "menu",
		title: cutLine([strong(titleOf(blamed))], room),
		body,
		items: [],
		first: 0,
		index: 0,
		cursor: undefined,
		danger: false,
		hint: keyHints(state, room),
	};
}

/** "line 41: const ttl = ACCESS_TTL". */
function titleOf({ line }: BlamedNow) {
	const number = shownNumber(line);
	const name = number === undefined ? "line" : `line ${number}`;
	const isRemoved = line.kind === "removed";
	return sanitizeLine(`${name}${isRemoved ? ", which was removed" : ""}: ${line.text.trim() || "(blank)"}`);
}

function bodyOf(blamed: BlamedNow, state: State, room: number): readonly Line[] {
	const { author, error, progress, edit, place } = blamed;
	const turn = edit && turnOfEdit(blamed, edit);
	const waiting = progress === undefined || error !== undefined ? undefined : waitingWords(progress);
	const promptRows =
		turn === undefined || turn.prompt === ""
			? []
			: [named("asked", [span(quoted(turn.prompt, room - NAME_CELLS))], room)];
	const why =
		author === undefined || author.why === "" || author.answer === "exact" || place !== undefined ? [] : [author.why];
	const remarks = [...(error === undefined ? [] : [error]), ...why];
	return [
		...writtenRows(blamed, state, room, waiting),
		...removedRows(blamed, state, room),
		...promptRows,
		...commitRows(blamed, room, waiting),
		...remarks.flatMap((remark) =>
			wrapText(sanitizeLine(remark), room).map((row): Line => [{ text: row, tone: "muted" }]),
		),
	];
}

function named(name: string, words: Line, room: number): Line {
	return cutLine([span(name.padEnd(NAME_CELLS), "muted"), ...words], room);
}

function writtenRows(blamed: BlamedNow, state: State, room: number, waiting: string | undefined): readonly Line[] {
	const { author, edit } = blamed;
	if (author === undefined) return [named("written by", [span(waiting ?? "–", "muted")], room)];
	const answer = span(author.answer === "candidates" ? "likely" : author.answer, TONES[author.answer]);
	const rowOf = (one: LineEdit | undefined, name: string): Line => {
		const words =
			one === undefined
				? [span("no session that is known", "muted")]
				: editWords(one, blamed, state, room - NAME_CELLS - answer.text.length - 2);
		return joinEnds([span(name.padEnd(NAME_CELLS), "muted"), ...words], name === "" ? [] : [span("  "), answer], room);
	};
	if (author.edits.length < 2) return [rowOf(edit, "written by")];
	const rows = author.edits.slice(0, MOST_CANDIDATES).map((one, index) => {
		const row = rowOf(one, index === 0 ? "maybe by" : "");
		return one === edit ? row.map((part): Line[number] => ({ ...part, bold: true })) : row;
	});
	const rest = author.edits.length - MOST_CANDIDATES;
	return rest > 0 ? [...rows, named("", [span(`and ${formatCounted(rest, "other session")}`, "muted")], room)] : rows;
}

/** "removed by  this session, turn 2" */
function removedRows({ line: { removedBy }, session }: BlamedNow, state: State, room: number): readonly Line[] {
	if (removedBy === undefined) return [];
	const row = state.catalog.rows.get(removedBy.session);
	const turn = cleanText(`, turn ${formatCount(removedBy.turn)}`);
	const isOwn = removedBy.session === session.path;
	const title = isOwn || row === undefined ? cleanText(isOwn ? "this session" : "a session") : undefined;
	const words = title ?? quoted(row === undefined ? "" : titleText(row), room - NAME_CELLS - turn.length);
	return [named("removed by", [span(words), span(turn)], room)];
}

/** "“Refresh tokens: rotate on use”, turn 2, Mon 22:24". */
function editWords(edit: LineEdit, blamed: BlamedNow, state: State, room: number): Line {
	const row = state.catalog.rows.get(edit.session);
	const turn = turnOfEdit(blamed, edit);
	const isOwn = edit.session === blamed.session.path;
	const facts = [turn === undefined ? "" : `turn ${formatCount(turn.turn)}`, formatDayTime(edit.timeMs, state.now)];
	const rest = cleanText(facts.map((fact) => (fact === "" ? "" : `, ${fact}`)).join(""));
	const title =
		isOwn || row === undefined
			? cleanText(isOwn ? "this session" : "a session")
			: quoted(titleText(row), room - rest.length);
	return [span(title), span(rest)];
}

/** A text in quotation marks, cut to `room` cells with them. */
function quoted(text: string, room: number): CleanText {
	return cleanText(`“${cutText(sanitizeLine(text), Math.max(1, room - 2))}”`);
}

function commitRows(
	{ commit, author, repository, place }: BlamedNow,
	room: number,
	waiting: string | undefined,
): readonly Line[] {
	if (commit !== undefined) {
		const { source } = author ?? {};
		const words = [span(commit.hash.slice(0, 8), "label"), span(` ${sanitizeLine(commit.summary)}`)];
		return [
			named("commit", source === undefined ? words : [...words, span(` (${sanitizeLine(source)})`, "muted")], room),
		];
	}
	// While nothing is known, the row above says how far the search is.
	if (waiting !== undefined) return author === undefined ? [] : [named("commit", [span(waiting, "muted")], room)];
	const why =
		place !== undefined
			? `the session is in ${place}: only what it shows itself is known`
			: repository === undefined
				? "the file is not in a Git repository"
				: "not committed";
	return [named("commit", [span(sanitizeLine(why), "muted")], room)];
}

function waitingWords({ searched, total }: NonNullable<BlamedNow["progress"]>): string {
	if (total === 0) return "looking …";
	return `looking through ${formatCounted(total, "session")}: ${formatCount(searched)} …`;
}
