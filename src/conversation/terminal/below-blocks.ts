import { memoEach } from "../../shared/memo.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { joinEnds } from "../../ui/text/width.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { areMany, type RunLine, type RunWidths, runEnds, runSum, runWidths } from "../entries/run-line.ts";
import { sumOf, sumParts } from "../entries/turn-sum.ts";
import { foldKey, isOpen, type ReaderContext } from "./context.ts";
import { rowPart, textParts } from "./parts.ts";
import { type Block, FAILED, FOLDED, type Part, UNFOLDED } from "./piece.ts";

/** The runs of subagents that a step has started, a row each; many are folded to one. */
export function* runBlocks(entry: SessionEntry, context: ReaderContext): Generator<Block> {
	const runs = context.runs?.get(entry.id);
	if (runs === undefined) return;
	const widths = runWidths(runs);
	const parts = runs.map((run) => runPart(run, widths));
	if (areMany(runs)) {
		const key = foldKey(entry, "runs");
		const open = isOpen(context, key, context.options.toolsOpen);
		const line = runSum(runs);
		const hidden = parts.map(({ text }) => text).join("\n");
		const rows = open ? [rowPart(line, { key }), ...parts] : [rowPart(line, { key, hidden })];
		yield { parts: rows, sign: open ? UNFOLDED : FOLDED, gap: true };
	} else yield { parts, gap: true };
}

function runPart(run: RunLine, widths: RunWidths): Part {
	return {
		text: `${run.agent} ${run.task}`,
		draw: (width) => {
			const { left, right } = runEnds(run, width, widths);
			return [{ line: joinEnds(left, right, width), run: run.key }];
		},
	};
}

/** Entries of a turn whose sum is counted while the screen waits. */
const LONGEST_TURN = 4000;

/** What the turn of a prompt came to: "2 steps", "37s", "694 sent, 315 received", "$0.02". */
export function turnWords(index: number, { path, session, place }: ReaderContext): readonly string[] {
	const later = path.slice(index + 1, index + 1 + LONGEST_TURN);
	const next = later.findIndex((entry) => entryKind(entry) === "prompt");
	const turn = path.slice(index, next === -1 ? path.length : index + 1 + next);
	return turn.length > LONGEST_TURN ? [] : sumParts(sumOf(turn, session, place));
}

/** The damaged lines that follow an entry in the file. */
export function* damageBlocks({ id }: SessionEntry, { session }: ReaderContext): Generator<Block> {
	const line = session.lines.get(id);
	for (const { message } of line === undefined ? [] : (damageOf(session).get(line) ?? [])) {
		yield { parts: textParts(message, { tone: "error" }), sign: FAILED, gap: true };
	}
}

/** The damage of a session by the line of the entry before it. */
const damageOf = memoEach(({ diagnostics, lines }: Session) => {
	const damage = diagnostics.filter(({ severity, line }) => severity === "damage" && line !== undefined);
	const ofEntries = damage.length === 0 ? [] : [...lines.values()].toSorted((a, b) => a - b);
	return Map.groupBy(damage, ({ line = 0 }) => ofEntries.findLast((one) => one < line) ?? ofEntries[0]);
});
