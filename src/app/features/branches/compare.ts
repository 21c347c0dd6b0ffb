import { type Branch, type Branches, partingOf } from "../../../conversation/branches/branch.ts";
import { ReaderDocument } from "../../../conversation/document/document.ts";
import { type Place, placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { type Sum, sumOf, sumParts } from "../../../conversation/entries/turn-sum.ts";
import { turnsOf } from "../../../conversation/entries/turns.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import type { ReaderOptions } from "../../../conversation/terminal/context.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { blanks, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, joinEnds } from "../../../ui/text/width.ts";
import { branchOfEntry, selectBranches } from "../../world/opened/select-branches.ts";
import { RENDERERS } from "../../world/opened/select-reader.ts";
import { branchesLayout } from "../../world/screen/layout.ts";
import type { State } from "../../world/state/state.ts";
import { fileSpans } from "./draw-branch.ts";
import { firstRows, type ReadRow } from "./draw-path.ts";

/** Two branches from their last common entry on, turn beside turn. */
interface Comparison {
	/** At least this many of the first rows, or all. A call adds `MAX_ROWS` rows at most. */
	rowsTo(count: number): readonly ReadRow[];
}

/** Largest number of rows of a turn; the reader shows the rest. */
const MAX_TURN_ROWS = 120;
/** Everything folded, as the reader starts. */
const OPTIONS: ReaderOptions = {
	page: false,
	toolsOpen: false,
	thinkingOpen: false,
	sideBySide: false,
	toggled: new Set<string>(),
};
/** Entries of a path that is summed up here; for a longer one, the sum since its own fork is shown. */
const MAX_COUNTED = 4000;
/** Rows added per call at most. */
const MAX_ROWS = 1000;

export function selectComparison(state: State): Comparison | undefined {
	const { compared } = state.branches;
	const branches = compared && selectBranches(state);
	const box = branches && branchesLayout(state).branches;
	if (compared === undefined || branches === undefined || box === undefined) return undefined;
	const [leftIndex, rightIndex] = compared.map((id) => branchOfEntry(branches, id));
	if (leftIndex === undefined || rightIndex === undefined) return undefined;
	const { home } = state.environment;
	return compare(branches, leftIndex, rightIndex, box.width, home, RENDERERS.of(state).value);
}

/** Keeps the rows made so far: scrolling continues from them. */
const compare = memoLast(
	(
		branches: Branches,
		leftIndex: number,
		rightIndex: number,
		width: number,
		home: string,
		renderers: Renderers | undefined,
	): Comparison => {
		const pairs = pairsOf(branches, [leftIndex, rightIndex], { width: columnsWidth(width), home, renderers });
		const rows: ReadRow[] = [];
		let isWhole = false;
		return {
			rowsTo(count) {
				const enough = Math.min(count, rows.length + MAX_ROWS);
				while (!isWhole && rows.length < enough) {
					const next = pairs.next();
					if (next.done === true) isWhole = true;
					else for (const row of pairRows(next.value, width)) rows.push(row);
				}
				return rows;
			},
		};
	},
);

/** One of the two branches. */
interface Side {
	readonly branch: Branch | undefined;
	/** Its entries that are not on the other one. */
	readonly path: readonly SessionEntry[];
	/** Totals of these entries. */
	readonly sum: Sum;
}

/** How the two are rendered. */
interface ColumnLook {
	/** Cells of a column. */
	readonly width: number;
	readonly home: string;
	readonly renderers: Renderers | undefined;
}

/** The pairs from top to bottom: the common ancestor, name, totals and files of each branch, then turn by turn. */
function* pairsOf(
	branches: Branches,
	[leftIndex, rightIndex]: readonly [number, number],
	reading: ColumnLook,
): Generator<Pair, void> {
	const { session } = branches;
	const { width } = reading;
	const place = placeOf(session, reading.home);
	const parting = partingOf(branches, leftIndex, rightIndex);
	const ours = sideOf(branches, leftIndex, parting.left, place);
	const theirs = sideOf(branches, rightIndex, parting.right, place);
	if (parting.ancestor !== undefined) {
		const [text = blanks(0)] = firstRows(
			`both come from: ${describeRow(parting.ancestor, session, place).text}`,
			width,
			1,
		);
		yield { name: "", left: [{ line: [{ text, tone: "muted" }] }], right: [] };
	}
	yield { name: "", left: headRows("1", ours, theirs, width), right: headRows("2", theirs, ours, width) };
	const ourTurns = turnReadings(session, ours.path, place, reading);
	const theirTurns = turnReadings(session, theirs.path, place, reading);
	for (let number = 0; ; number++) {
		const next = [ourTurns.next(), theirTurns.next()] as const;
		if (next[0].done === true && next[1].done === true) return;
		const [left, right] = [next[0].value ?? [], next[1].value ?? []];
		if (number > 0) yield { name: `turn ${number}`, left, right };
		else if (left.length + right.length > 0) yield { name: "before the first prompt", left, right };
	}
}

/**
 * The rows of what comes before the first prompt of a path, which may be none, and then of each turn, as the reader shows them.
 * Labels are left out: a label is shown at its entry, and is not part of a turn.
 */
function* turnReadings(
	session: Session,
	wholePath: readonly SessionEntry[],
	place: Place,
	{ width, renderers }: ColumnLook,
): Generator<readonly ReadRow[], void> {
	const path = wholePath.filter(({ type }) => type !== "label");
	const document = new ReaderDocument({ session, path, place, options: OPTIONS, renderers }, width);
	for (const { from, prompt, rest } of turnsOf(path)) {
		if (from === 0 && prompt !== undefined) yield [];
		const rows: ReadRow[] = [];
		const end = from + rest.length + (prompt === undefined ? 0 : 1);
		for (let entry = from; entry < end && rows.length <= MAX_TURN_ROWS; entry++) {
			for (let piece = 0; piece < document.pieces(entry).length && rows.length <= MAX_TURN_ROWS; piece++) {
				for (const { line, ground } of document.rows(entry, piece)) rows.push({ line, ground });
			}
		}
		const more: ReadRow = { line: [span("… the rest of this turn is in the reader", "muted")] };
		yield rows.length > MAX_TURN_ROWS ? [...rows.slice(0, MAX_TURN_ROWS - 1), more] : withoutLastGap(rows);
	}
}

/** Drops a trailing blank row, since one follows each turn anyway. */
function withoutLastGap(rows: readonly ReadRow[]): readonly ReadRow[] {
	return rows.at(-1)?.line.every(({ text }) => text.trim() === "") ? rows.slice(0, -1) : rows;
}

function sideOf({ session, list }: Branches, index: number, path: readonly SessionEntry[], place: Place): Side {
	const branch = list[index];
	const isLong = branch !== undefined && path.length > MAX_COUNTED;
	return { branch, path, sum: isLong ? branch.sum : sumOf(path, session, place) };
}

/** Name and totals of a branch, and the files it touched: first those that the other one touched too. */
function headRows(mark: string, { branch, sum }: Side, other: Side, width: number): ReadRow[] {
	const { label, name = "" } = branch ?? {};
	const title = [
		span(`${mark} `, "muted"),
		...(label === undefined ? [] : [span(`⚑${sanitizeLine(label)} `, "label")]),
		{ ...span(sanitizeLine(name)), bold: true },
	];
	const parts = [formatCounted(sum.turns, "turn"), ...sumParts(sum)].join(" · ");
	const files = [...sum.files].map(([path, change]) => ({ path, change, isCommon: other.sum.files.has(path) }));
	const ordered = files.toSorted((a, b) => Number(b.isCommon) - Number(a.isCommon));
	return [
		{ line: cutLine(title, width) },
		{ line: cutLine([span(parts, "muted")], width) },
		...ordered.map(({ path, change, isCommon }) => ({
			line: cutLine([...fileSpans(path, change), ...(isCommon ? [span("  both", "warning")] : [])], width),
		})),
	];
}

/** Two groups of rows that a comparison shows beside each other. */
interface Pair {
	/** Title when one group is shown below the other; "" for none. */
	readonly name: string;
	readonly left: readonly ReadRow[];
	readonly right: readonly ReadRow[];
}

/** Cells from which the groups are side by side; on narrower screens one is below the other. */
const BESIDE_COLUMNS = 100;
const BETWEEN = " │ ";
const BLANK: ReadRow = { line: [] };

function columnsWidth(width: number): number {
	return width >= BESIDE_COLUMNS ? Math.floor((width - BETWEEN.length) / 2) : Math.max(1, width - MARK.length);
}

/** Starts each row when one group is below the other. */
const MARK = "▏ ";

/** The rows of a pair, followed by a blank one. */
function pairRows({ name, left, right }: Pair, width: number): ReadRow[] {
	const column = columnsWidth(width);
	if (width >= BESIDE_COLUMNS) {
		const count = Math.max(left.length, right.length) + 1;
		return Array.from({ length: count }, (_, index) => ({
			line: [...padded(left[index], column), span(BETWEEN, "frame"), ...padded(right[index], column)],
		}));
	}
	const title = (mark: string): string => (name === "" ? "" : `${mark} · ${name}`);
	return [...below(title("1"), left, "accent", column), ...below(title("2"), right, "summary", column)];
}

/** A row padded to its column, with its background. */
function padded({ line, ground }: ReadRow = BLANK, width: number): Line {
	const filled = joinEnds(line, [], width);
	return ground === undefined ? filled : filled.map((part) => ({ ground, ...part }));
}

function below(name: string, rows: readonly ReadRow[], tone: "accent" | "summary", width: number): ReadRow[] {
	if (rows.length === 0) return [];
	const title: ReadRow[] = name === "" ? [] : [{ line: cutLine([span(`${MARK}${name}`, tone)], width + MARK.length) }];
	const marked = rows.map(({ line, ground }): ReadRow => ({ line: [span(MARK, tone), ...line], ground }));
	return [...title, ...marked, BLANK];
}
