import { type Turn, turnsOf } from "../../../conversation/branches/turns.ts";
import { type EntryKind, entryKind } from "../../../conversation/entries/entry-kind.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/span.ts";
import { joinEnds } from "../../../ui/text/width.ts";
import { entryRows, promptRows, type ReadRow, type TurnDrawing, turnRows } from "./draw-turn.ts";

/** Entries at the end of a path in which its last answer is looked for. */
const NEAR_END = 200;

/**
 * A path in at most as many rows: whole, if it fits; else each turn by its prompt and its last answer; and if that is still
 * too much, the first of these and how it ended.
 */
export function pathRows(path: readonly SessionEntry[], drawing: TurnDrawing, room: number): readonly ReadRow[] {
	const whole = firstOf(turnsOf(path), (turn) => turnRows(turn, drawing), room + 1);
	if (whole.length <= room) return whole;
	const short = { ...drawing, promptRows: 1, answerRows: 1 };
	const outcomes = firstOf(turnsOf(path), (turn) => outcomeRows(turn, short), room + 1);
	if (outcomes.length <= room) return outcomes;
	const end = room > 2 ? endRows(path, short) : [];
	return [...outcomes.slice(0, room - 1 - end.length), { line: [span("  …", "muted")] }, ...end];
}

/** The rows of the first turns, until there are enough. */
function firstOf(turns: Iterable<Turn>, draw: (turn: Turn) => Iterable<ReadRow>, enough: number): ReadRow[] {
	const rows: ReadRow[] = [];
	for (const turn of turns) {
		for (const row of draw(turn)) {
			rows.push(row);
			if (rows.length === enough) return rows;
		}
	}
	return rows;
}

/** What counts as a step. A turn may have any number, so that only their kind is looked at. */
const STEPS: ReadonlySet<EntryKind> = new Set<EntryKind>(["result", "command"]);

/** A turn by its prompt and its last answer, with the number of its steps. */
function* outcomeRows({ prompt, rest }: Turn, drawing: TurnDrawing): Generator<ReadRow, void> {
	if (prompt !== undefined) yield* promptRows(prompt, drawing);
	const steps = rest.filter((entry) => STEPS.has(entryKind(entry))).length;
	const counted = steps === 0 ? [] : [span(` ${formatCounted(steps, "step")}`, "muted")];
	const said = endRows(rest, drawing)[0]?.line ?? [];
	if (said.length > 0 || steps > 0) yield { line: joinEnds(said, counted, drawing.width) };
}

/** The last answer of a path, or, without one near its end, its last entry that has a row. */
function endRows(path: readonly SessionEntry[], drawing: TurnDrawing): ReadRow[] {
	const near = path.slice(-NEAR_END);
	const answer = near.findLast((entry) => entryKind(entry) === "answer");
	if (answer !== undefined) return entryRows(answer, drawing);
	const last = near.findLast((entry) => entryRows(entry, drawing).length > 0);
	return last === undefined ? [] : entryRows(last, drawing);
}
