import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatClock, formatCount } from "../../ui/text/format.ts";
import { aside, type Line, type Span, span } from "../../ui/text/line.ts";
import { blanks, sanitizeLine, startOf } from "../../ui/text/sanitize.ts";
import { cutText, joinEnds, lineWidth, textWidth } from "../../ui/text/width.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { conversationLeaf, endSign } from "../entries/leaf.ts";
import { turnAt } from "../entries/turns.ts";
import type { ReaderContext } from "./context.ts";
import { FIRST_LINE } from "./parts.ts";
import type { Block, Part } from "./piece.ts";

/** Cells that a row needs before what is known of its entry. */
const TITLE = 40;
/** Cells of a label beside other things. */
const LABEL = 24;

/**
 * What is known of an entry besides what it says, in a row of this width: its label, whether pi continues here, and of a prompt the time. A
 * page has these in its margin, but for the label of a prompt.
 */
function facts(entry: SessionEntry, { session, options }: ReaderContext, width: number): Line {
	const isPrompt = entryKind(entry) === "prompt";
	const parts: Line[] = [
		options.page && !isPrompt ? [] : labelOf(entry, session),
		entry.id === conversationLeaf(session) ? [span(endSign(width - TITLE), "current")] : [],
		isPrompt && !options.page ? [span(formatClock(timeOf(entry.timestamp)), "muted")] : [],
	];
	return parts
		.filter((part) => part.some(({ text }) => text !== ""))
		.flatMap((part, index): Line => (index === 0 ? part : [span(" "), ...part]));
}

/** "⚑ works"; nothing for an entry without a label. */
function labelOf({ id }: SessionEntry, { tree }: ReaderContext["session"]): Line {
	const label = tree.labels.get(id);
	if (label === undefined) return [];
	return [span("⚑ ", "label"), { text: cutText(sanitizeLine(label.text), LABEL), tone: "label" }];
}

/** Cells of the gutter, in which a sign says what a block is. */
const GUTTER = 2;
/** In fewer cells there is no gutter. */
const LEAST_WIDTH = 8;

/** The block with its sign in the gutter before its first row. */
export function inGutter(block: Block): Block {
	const none: Span = { text: blanks(GUTTER), isAside: true };
	return {
		...block,
		parts: block.parts.map((part, index) => ({
			...part,
			draw(width, renderers) {
				if (width < LEAST_WIDTH) return part.draw(width, renderers);
				return part.draw(width - GUTTER, renderers).map((row, at) => {
					const sign: Span | undefined =
						index === 0 && at === 0 && block.sign ? { ...block.sign, isAside: true } : undefined;
					const isBlank = sign === undefined && lineWidth(row.line) === 0 && row.ground === undefined;
					return isBlank ? row : { ...row, line: [sign ?? none, ...row.line] };
				});
			},
		})),
	};
}

/** The parts of a block within another one, whose sign stands before its first row. */
export function signedParts({ parts: [first, ...rest], sign }: Block): readonly Part[] {
	if (first === undefined || sign === undefined) return first === undefined ? [] : [first, ...rest];
	const draw: Part["draw"] = (width, renderers) =>
		first
			.draw(width - lineWidth([sign]), renderers)
			.map((row, at) => (at === 0 ? { ...row, line: [sign, ...row.line] } : row));
	return [{ ...first, draw }, ...rest];
}

/** The part with what is to be said at the right end of its first row, for which all of it leaves room where that row is long. */
export function withRight(part: Part, rightOf: (width: number) => Line): Part {
	return {
		...part,
		draw(width, renderers) {
			const right = rightOf(width);
			const room = lineWidth(right) + 1;
			if (right.length === 0 || width < room * 3) return part.draw(width, renderers);
			const isLong = (cells: number): boolean => cells + room > width;
			// Markup only takes away from a text, so most are drawn once.
			const textCells = textWidth(sanitizeLine(startOf(part.text, FIRST_LINE).split("\n", 1)[0] ?? ""));
			const rows = part.draw(isLong(textCells) ? width - room : width, renderers);
			const [first, ...rest] = isLong(lineWidth(rows[0]?.line ?? [])) ? part.draw(width - room, renderers) : rows;
			if (first === undefined) return [];
			const { length } = first.line;
			const line = joinEnds(first.line, right, width);
			return [{ ...first, line: [...line.slice(0, length), ...aside(line.slice(length))] }, ...rest];
		},
	};
}

/** The blocks of an entry with what is known of it at the right end of its first row. */
export function* withFacts(blocks: Iterable<Block>, entry: SessionEntry, context: ReaderContext): Generator<Block> {
	yield* changeFirst(blocks, (part) => withRight(part, (width) => facts(entry, context, width)));
}

/** The blocks of an entry with the turn, or its label, in the margin beside its first row. */
export function* withMargin(blocks: Iterable<Block>, margin: Line): Generator<Block> {
	yield* changeFirst(blocks, (part) => beside(part, margin));
}

/** The blocks with another first part. */
function* changeFirst(blocks: Iterable<Block>, change: (part: Part) => Part): Generator<Block> {
	let isFirst = true;
	for (const block of blocks) {
		const [first, ...rest] = block.parts;
		yield isFirst && first !== undefined ? { ...block, parts: [change(first), ...rest] } : block;
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
