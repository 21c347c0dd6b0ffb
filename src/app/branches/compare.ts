import type { SessionEntry } from "../../store/format/schema.ts";
import { type Place, placeOf } from "../conversation/place.ts";
import { describeRow } from "../conversation/row.ts";
import { addEntry, emptySum, type Sum, sumParts } from "../conversation/turn-sum.ts";
import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import { formatCounted } from "../text/format.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { cutLine } from "../text/width.ts";
import type { Branch, Branches } from "./branch.ts";
import { branchesLayout } from "./branches-layout.ts";
import { partingOf } from "./common-path.ts";
import { columnsWidth, type Pair, pairRows } from "./draw-pair.ts";
import { firstRows, type ReadRow, type TurnDrawing, turnRows } from "./draw-turn.ts";
import { fileSpans } from "./files-row.ts";
import { branchOfEntry, selectBranches } from "./select-branches.ts";
import { type Turn, turnsOf } from "./turns.ts";

/** Two branches from the last entry that they have in common, turn beside turn. */
export interface Comparison {
	/** At least this many of its first rows, or all; of far more than a page, a part at a time. */
	rowsTo(count: number): readonly ReadRow[];
}

/** Rows of a prompt, and of an answer, at most. */
const PROMPT_ROWS = 4;
const ANSWER_ROWS = 6;
/** Entries of a path whose sum is counted here; of a longer one that since its own fork is shown. */
const MOST_COUNTED = 4000;
/** Rows that are made at a time, at most. */
const MOST_ROWS = 1000;

/** What is compared now; undefined while nothing is. */
export function selectComparison(state: State): Comparison | undefined {
	const { compared } = state.branches;
	const branches = compared && selectBranches(state);
	const box = branches && branchesLayout(state).branches;
	if (compared === undefined || branches === undefined || box === undefined) return undefined;
	const [left, right] = compared.map((id) => branchOfEntry(branches, id));
	if (left === undefined || right === undefined) return undefined;
	return compare(branches, left, right, box.width, state.environment.home);
}

const compare = memoLast((branches: Branches, left: number, right: number, width: number, home: string): Comparison => {
	const pairs = pairsOf(branches, left, right, columnsWidth(width), placeOf(branches.session, home));
	const rows: ReadRow[] = [];
	let isWhole = false;
	return {
		rowsTo(count) {
			const enough = Math.min(count, rows.length + MOST_ROWS);
			while (!isWhole && rows.length < enough) {
				const next = pairs.next();
				if (next.done === true) isWhole = true;
				else for (const row of pairRows(next.value, width)) rows.push(row);
			}
			return rows;
		},
	};
});

/** One of the two. */
interface Side {
	readonly branch: Branch | undefined;
	/** What is only on it, of the two. */
	readonly path: readonly SessionEntry[];
	/** The sum of that. */
	readonly sum: Sum;
}

/** What stands beside each other: what both come from, what each is and touched, then turn by turn. */
function* pairsOf(branches: Branches, left: number, right: number, width: number, place: Place): Generator<Pair, void> {
	const { session } = branches;
	const turn: TurnDrawing = { session, place, width, promptRows: PROMPT_ROWS, answerRows: ANSWER_ROWS };
	const parting = partingOf(branches, left, right);
	const ours = sideOf(branches, left, parting.left, place);
	const theirs = sideOf(branches, right, parting.right, place);
	yield { name: "", left: headRows(ours, theirs, width), right: headRows(theirs, ours, width) };
	if (parting.ancestor !== undefined) {
		const { text } = describeRow(parting.ancestor, session, place);
		const rows = firstRows(`both come from: ${text}`, width, 1).map(
			(row) => ({ line: [{ text: row, tone: "muted" }] }) as const,
		);
		yield { name: "", left: rows, right: [] };
	}
	const ourTurns = turnsOf(ours.path);
	const theirTurns = turnsOf(theirs.path);
	for (let number = 1; ; number++) {
		const ourTurn = ourTurns.next();
		const theirTurn = theirTurns.next();
		if (ourTurn.done === true && theirTurn.done === true) return;
		const rowsOf = (next: IteratorResult<Turn, void>): readonly ReadRow[] =>
			next.done === true ? [] : [...turnRows(next.value, turn)];
		yield { name: `turn ${number}`, left: rowsOf(ourTurn), right: rowsOf(theirTurn) };
	}
}

function sideOf({ session, list }: Branches, index: number, path: readonly SessionEntry[], place: Place): Side {
	const branch = list[index];
	if (branch !== undefined && path.length > MOST_COUNTED) return { branch, path, sum: branch.sum };
	const sum = emptySum();
	for (const entry of path) addEntry(sum, entry, session, place);
	return { branch, path, sum };
}

/** What one of the two is called and comes to, and the files that it touched: first those that the other one touched too. */
function headRows({ branch, sum }: Side, other: Side, width: number): ReadRow[] {
	const { label, name = "" } = branch ?? {};
	const title = [
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
