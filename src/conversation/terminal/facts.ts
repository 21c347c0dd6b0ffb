import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatClock, formatCount } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { blanks, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText, lineWidth } from "../../ui/text/width.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { conversationLeaf, endSign } from "../entries/leaf.ts";
import { turnAt } from "../entries/turns.ts";
import type { ReaderContext } from "./context.ts";
import type { Block, Part, ReaderRow } from "./piece.ts";

/** Cells that the title of a rule needs before what is known of its entry. */
const TITLE = 40;
/** Cells of a label beside other things. */
const LABEL = 24;

/** What is known of an entry besides what it says, in a row of this width: its label, whether pi continues here, its time. */
export function facts(entry: SessionEntry, { session, options }: ReaderContext, width: number): Line {
	const label = labelOf(entry, session);
	const parts: Line[] = [
		...(label.length === 0 || options.page ? [] : [label]),
		...(entry.id === conversationLeaf(session) ? [[span(endSign(width - TITLE), "current")]] : []),
		[span(formatClock(timeOf(entry.timestamp)), "muted")],
	];
	return parts
		.filter((part) => part.some(({ text }) => text !== ""))
		.flatMap((part, index): Line => (index === 0 ? part : [span(" "), ...part]));
}

/** "⚑ works"; nothing for an entry without a label. */
export function labelOf({ id }: SessionEntry, { tree }: ReaderContext["session"]): Line {
	const label = tree.labels.get(id);
	if (label === undefined) return [];
	return [span("⚑ ", "label"), { text: cutText(sanitizeLine(label.text), LABEL), tone: "label" }];
}

/** Cells of the dashes before the left text, and behind the right one. */
const BEFORE = 3;
const BEHIND = 2;

/**
 * A row of text with a rule on both sides and between: "── bash exit 0 ─────── 05:29 ─". The left text is cut first.
 * `isBare`: there is no rule before it.
 */
export function ruleRow(
	left: Line,
	right: Line,
	width: number,
	{ tone = "frame", isBare = false }: { readonly tone?: "frame" | "summary"; readonly isBare?: boolean } = {},
): ReaderRow {
	const startCells = isBare ? 0 : BEFORE;
	const end = lineWidth(right) + BEHIND + 3 > width / 2 ? [] : right;
	const endCells = end.length === 0 ? 0 : lineWidth(end) + BEHIND + 1;
	const title = cutLine(left, Math.max(0, width - startCells - 1 - endCells - 1));
	const between = width - startCells - lineWidth(title) - 1 - endCells;
	const line: Line = [
		...(isBare ? [] : [span("── ", tone)]),
		...title,
		{ text: blanks(1) },
		span("─".repeat(Math.max(0, between)), tone),
		...(end.length === 0 ? [] : [{ text: blanks(1) }, ...end, span(" ─", tone)]),
	];
	return { line: cutLine(line, width) };
}

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
export function marginOf(index: number, { path, session }: ReaderContext): Line {
	const entry = path[index];
	if (entry === undefined) return [];
	if (entryKind(entry) !== "prompt") return labelOf(entry, session);
	return [span(`turn ${formatCount(turnAt(path, index))}`), span(`  ${formatClock(timeOf(entry.timestamp))}`, "muted")];
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
