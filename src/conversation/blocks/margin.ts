import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatClock, formatCount } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { turnAt } from "../entries/turns.ts";
import type { BlockContext } from "./context.ts";
import { labelOf } from "./facts.ts";
import type { Block, Part } from "./piece.ts";

/** The blocks of an entry with the turn, or its label, in the margin beside its first row. */
export function* withMargin(blocks: Iterable<Block>, margin: Line): Generator<Block> {
	let isFirst = true;
	for (const block of blocks) {
		const [first, ...rest] = block.parts;
		yield isFirst && first !== undefined ? { ...block, parts: [beside(first, margin), ...rest] } : block;
		isFirst &&= first === undefined;
	}
}

/** "turn 3  5:27" beside a prompt, whose label is in its band; "⚑ works" beside what else has a label. */
export function marginOf(index: number, { path, session }: BlockContext): Line {
	const entry = path[index];
	if (entry === undefined) return [];
	return entryKind(entry) === "prompt" ? turnLine(path, index, entry) : labelOf(entry, session);
}

function turnLine(path: readonly SessionEntry[], index: number, { timestamp }: SessionEntry): Line {
	return [span(`turn ${formatCount(turnAt(path, index))}`), span(`  ${formatClock(timeOf(timestamp))}`, "muted")];
}

function beside(part: Part, margin: Line): Part {
	return {
		...part,
		draw(width, renderers) {
			const [first, ...rest] = part.draw(width, renderers);
			return first === undefined ? rest : [{ ...first, margin }, ...rest];
		},
	};
}
