import { type Fields, textOf } from "../entries/fields.ts";
import type { CallFacts } from "../entries/tool-call.ts";
import { languageOfPath } from "../render/code-lines.ts";
import type { DiffLine } from "../render/diff-lines.ts";
import { diffRows } from "../render/render-diff.ts";
import { changeOf, MOST_UNITS } from "./change-of.ts";
import { type BlockContext, isOpen } from "./context.ts";
import { drawnPart } from "./drawn-part.ts";
import { moreRow, unfoldedParts } from "./folded.ts";
import type { Block, Part, ReaderRow } from "./piece.ts";
import { textParts } from "./text-parts.ts";

/** Lines of a folded diff, and those that are drawn at a time. */
const FOLDED_LINES = 24;
const LINES_PER_PART = 100;

/** What an edit or a write has changed in a file; undefined for other tools. */
export function changeBlock(call: CallFacts, message: Fields, key: string, context: BlockContext): Block | undefined {
	const change = changeOf(call, message);
	if (change === undefined) return undefined;
	if (change.size > MOST_UNITS) return { parts: textParts(change.text), gap: false };
	return { parts: diffParts([...change.lines(context.renderers)], key, pathIn(call), context), gap: false };
}

function diffParts(lines: readonly DiffLine[], key: string, path: string, context: BlockContext): Part[] {
	// What is only new has nothing beside it.
	const isSplit = context.options.sideBySide && lines.some(({ kind }) => kind === "removed");
	const wide = isSplit ? (context.options.pageWidth ?? 0) : 0;
	const look = { language: languageOfPath(path), isSplit };
	const open = isOpen(context, key, context.options.toolsOpen);
	const isLong = lines.length > FOLDED_LINES + 2;
	const drawn = isLong && !open ? lines.slice(0, FOLDED_LINES) : lines;
	const parts: Part[] = [];
	for (let from = 0; from < drawn.length; from += LINES_PER_PART) {
		const some = drawn.slice(from, from + LINES_PER_PART);
		const part = drawnPart(
			textOfLines(some),
			(width, renderers) => diffRows(some, Math.max(width, wide), look, renderers),
			{ isCode: true },
		);
		parts.push(wide === 0 ? part : { ...part, draw: (...args) => part.draw(...args).map(asWide) });
	}
	if (!isLong) return parts;
	if (open) return context.options.toolsOpen ? parts : unfoldedParts(parts, key);
	const hidden = lines.slice(FOLDED_LINES);
	const more: Part = { text: textOfLines(hidden), fold: key, draw: (width) => [moreRow(hidden.length, key, width)] };
	return [...parts, more];
}

function asWide(row: ReaderRow): ReaderRow {
	return { ...row, isWide: true };
}

function textOfLines(lines: readonly DiffLine[]): string {
	return lines.map(({ text }) => text).join("\n");
}

function pathIn({ args }: CallFacts): string {
	return textOf(args.path) || textOf(args.file_path);
}
