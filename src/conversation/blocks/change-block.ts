import { type Fields, fieldsOf, listOf, pathArgument, textOf } from "../entries/fields.ts";
import type { CallFacts } from "../entries/tool-call.ts";
import { languageOfPath } from "../render/code-lines.ts";
import { type DiffLine, parseDiff } from "../render/diff-lines.ts";
import { type Edit, editLines, writtenLines } from "../render/edit-lines.ts";
import { diffRows } from "../render/render-diff.ts";
import type { Renderers } from "../render/renderers.ts";
import { type BlockContext, isOpen } from "./context.ts";
import { moreRow, unfoldedParts } from "./folded.ts";
import { drawnPart, textParts } from "./parts.ts";
import type { Block, Part } from "./piece.ts";

/** Lines of a folded diff, and those that are drawn at a time. */
const FOLDED_LINES = 24;
const LINES_PER_PART = 100;

/** What an edit or a write has changed in a file; undefined for other tools. */
export function changeBlock(call: CallFacts, message: Fields, key: string, context: BlockContext): Block | undefined {
	const change = changeOf(call, message);
	if (change === undefined) return undefined;
	if (change.size > MOST_UNITS) return { parts: textParts(change.text), gap: false };
	return { parts: diffParts([...change.lines(context.renderers)], key, pathArgument(call.args), context), gap: false };
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
		parts.push(
			wide === 0 ? part : { ...part, draw: (...args) => part.draw(...args).map((row) => ({ ...row, isWide: true })) },
		);
	}
	if (!isLong) return parts;
	if (open) return context.options.toolsOpen ? parts : unfoldedParts(parts, key);
	const hidden = lines.slice(FOLDED_LINES);
	const more: Part = { text: textOfLines(hidden), fold: key, draw: (width) => [moreRow(hidden.length, key, width)] };
	return [...parts, more];
}

function textOfLines(lines: readonly DiffLine[]): string {
	return lines.map(({ text }) => text).join("\n");
}

/** UTF-16 units of a change that is shown as a diff; a longer one is shown as text. */
export const MOST_UNITS = 1024 * 1024;
const MOST_EDITS = 1000;

/** What a tool has changed in a file. */
interface FileEdit {
	/** UTF-16 units of the texts that describe it. */
	readonly size: number;
	/** Shown in place of its lines if it is too large. */
	readonly text: string;
	readonly lines: (renderers: Renderers | undefined) => Iterable<DiffLine>;
}

/** What an edit or a write has changed in a file; undefined for other tools. */
export function changeOf(call: CallFacts, message: Fields): FileEdit | undefined {
	const diff = textOf(fieldsOf(message.details).diff);
	const content = call.name === "write" ? textOf(call.args.content) : "";
	const edits = call.name === "edit" ? editsOf(call.args) : [];
	const size =
		diff.length + content.length + edits.reduce((sum, one) => sum + one.oldText.length + one.newText.length, 0);
	if (size === 0) return undefined;
	const text = diff || content || edits.map(({ newText }) => newText).join("\n");
	const lines = (renderers: Renderers | undefined): Iterable<DiffLine> =>
		diff !== "" ? parseDiff(diff) : content !== "" ? writtenLines(content) : editLines(edits, renderers);
	return { size, text, lines };
}

/** The changes that were asked for, in either form that pi has had. */
function editsOf(args: Fields): Edit[] {
	const edits = [args, ...listOf(args.edits).slice(0, MOST_EDITS).map(fieldsOf)];
	return edits
		.map(({ oldText, newText }) => ({ oldText: textOf(oldText), newText: textOf(newText) }))
		.filter(({ oldText, newText }) => oldText !== "" || newText !== "");
}
