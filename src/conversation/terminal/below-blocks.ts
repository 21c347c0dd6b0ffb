import { memoEach } from "../../shared/memo.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { joinEnds } from "../../ui/text/width.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { areMany, type RunLine, type RunWidths, runEnds, runSum, runWidths } from "../entries/run-line.ts";
import { sumOf, sumParts } from "../entries/turn-sum.ts";
import { foldKey, isOpen, type ReaderContext } from "./context.ts";
import { ruleRow } from "./facts.ts";
import { rowPart } from "./parts.ts";
import type { Block, Part } from "./piece.ts";

/** The runs of subagents that a step has started, a row each; many are folded to one. */
export function* runBlocks(entry: SessionEntry, context: ReaderContext): Generator<Block> {
	const runs = context.runs?.get(entry.id);
	if (runs === undefined) return;
	const widths = runWidths(runs);
	const parts = runs.map((run) => runPart(run, widths));
	if (areMany(runs)) {
		const key = foldKey(entry, "runs");
		const open = isOpen(context, key, context.options.toolsOpen);
		const line = [span(open ? "▾ " : "▸ ", "muted"), ...runSum(runs)];
		const hidden = parts.map(({ text }) => text).join("\n");
		yield { parts: open ? [rowPart(line, { key }), ...parts] : [rowPart(line, { key, hidden })], gap: true };
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
/** Entries that keep books that may stand between a turn and the next prompt. */
const MOST_NOTES = 200;

const SAYS: ReadonlySet<string> = new Set(["answer", "calls", "result", "command"]);

/** What a turn came to, after the last thing that was said or done in it. */
export function* turnBlocks(index: number, context: ReaderContext): Generator<Block> {
	const { path, session, place } = context;
	const entry = path[index];
	if (entry === undefined || !SAYS.has(entryKind(entry)) || !endsTurn(path, index)) return;
	const start = turnStart(path, index);
	if (start === undefined) return;
	const text = sumParts(sumOf(path.slice(start, index + 1), session, place)).join(" · ");
	if (text === "") return;
	yield { parts: [rowPart([span(text, "muted")])], gap: true };
}

/** Whether nothing more is said before the next prompt. */
function endsTurn(path: readonly SessionEntry[], index: number): boolean {
	for (const entry of path.slice(index + 1, index + 1 + MOST_NOTES)) {
		const kind = entryKind(entry);
		if (kind === "prompt") return true;
		if (SAYS.has(kind) || kind === "message") return false;
	}
	return path.length <= index + 1 + MOST_NOTES;
}

function turnStart(path: readonly SessionEntry[], index: number): number | undefined {
	for (let at = index; at >= Math.max(0, index - LONGEST_TURN); at--) {
		const entry = path[at];
		if (entry !== undefined && entryKind(entry) === "prompt") return at;
	}
	return undefined;
}

/** The damaged lines that follow an entry in the file. */
export function* damageBlocks({ id }: SessionEntry, { session }: ReaderContext): Generator<Block> {
	const line = session.lines.get(id);
	for (const { message } of line === undefined ? [] : (damageOf(session).get(line) ?? [])) {
		const title: Line = [span("✗ ", "error"), { text: sanitizeLine(message), tone: "error" }];
		yield { parts: [{ text: message, draw: (width) => [ruleRow(title, [], width)] }], gap: true };
	}
}

/** The damage of a session by the line of the entry before it. */
const damageOf = memoEach(({ diagnostics, lines }: Session) => {
	const damage = diagnostics.filter(({ severity, line }) => severity === "damage" && line !== undefined);
	const ofEntries = damage.length === 0 ? [] : [...lines.values()].toSorted((a, b) => a - b);
	return Map.groupBy(damage, ({ line = 0 }) => ofEntries.findLast((one) => one < line) ?? ofEntries[0]);
});
