import { type Fields, fieldsOf, pathArgument, textOf } from "../../store/format/fields.ts";
import { type ToolChange, toolChange } from "../../store/format/tool-change.ts";
import type { CallFacts } from "../entries/tool-call.ts";
import { type DiffLine, parseDiff } from "../render/diff-lines.ts";
import { editLines, writtenLines } from "../render/edit-lines.ts";
import type { Renderers } from "../render/renderers.ts";

/** UTF-16 units of a change that is shown as a diff; a longer one is shown as text. */
const MOST_UNITS = 1024 * 1024;

export interface FileEdit {
	/** As the call names it. */
	readonly path: string;
	/** A diff as pi wrote it, all of a written file, or the texts that an edit was asked to replace. */
	readonly of: "diff" | "file" | "texts";
	/** Whether it is too large to be shown as a diff. */
	readonly isLarge: boolean;
	/** The diff, the file, or the new texts. */
	readonly text: string;
	readonly lines: (renderers: Renderers | undefined) => Iterable<DiffLine>;
}

/** What an edit or a write has changed in a file; undefined for other tools. */
export function fileEditOf(call: CallFacts, message: Fields): FileEdit | undefined {
	const diff = textOf(fieldsOf(message.details).diff);
	return fileEditFrom(pathArgument(call.args), toolChange(call.name, call.args), diff);
}

/** The same of a change that was asked for. `path`: as it is to be named; `diff`: as pi wrote it, "" if it did not. */
export function fileEditFrom(path: string, change: ToolChange | undefined, diff: string): FileEdit | undefined {
	const content = change?.tool === "write" ? change.content : "";
	const edits = change?.tool === "edit" ? change.edits : [];
	const size =
		diff.length + content.length + edits.reduce((sum, one) => sum + one.oldText.length + one.newText.length, 0);
	if (size === 0) return undefined;
	const about = { path, isLarge: size > MOST_UNITS };
	if (diff !== "") return { ...about, of: "diff", text: diff, lines: () => parseDiff(diff) };
	if (content !== "") return { ...about, of: "file", text: content, lines: () => writtenLines(content) };
	const text = edits.map(({ newText }) => newText).join("\n");
	return { ...about, of: "texts", text, lines: (renderers) => editLines(edits, renderers) };
}
