import type { SessionEntry } from "../../store/format/schema.ts";
import { span } from "../../ui/text/line.ts";
import { cutLine } from "../../ui/text/width.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { sumOf, sumParts } from "../entries/turn-sum.ts";
import type { BlockContext } from "./context.ts";
import type { Block } from "./piece.ts";

/** Entries of a turn whose sum is counted while the screen waits. */
const LONGEST_TURN = 4000;
/** Entries that keep books that may stand between a turn and the next prompt. */
const MOST_NOTES = 200;

const SAYS: ReadonlySet<string> = new Set(["answer", "calls", "result", "command"]);

/** What a turn came to, after the last thing that was said or done in it. */
export function* turnBlocks(index: number, context: BlockContext): Generator<Block> {
	const { path, session, place } = context;
	const entry = path[index];
	if (entry === undefined || !SAYS.has(entryKind(entry)) || !endsTurn(path, index)) return;
	const start = turnStart(path, index);
	if (start === undefined) return;
	const text = sumParts(sumOf(path.slice(start, index + 1), session, place)).join(" · ");
	if (text === "") return;
	yield { parts: [{ text: "", draw: (width) => [{ line: cutLine([span(text, "muted")], width) }] }], gap: true };
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

/** Index of the prompt that began the turn. */
function turnStart(path: readonly SessionEntry[], index: number): number | undefined {
	for (let at = index; at >= Math.max(0, index - LONGEST_TURN); at--) {
		const entry = path[at];
		if (entry !== undefined && entryKind(entry) === "prompt") return at;
	}
	return undefined;
}
