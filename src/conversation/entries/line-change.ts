import { type Fields, fieldsOf, listOf, textOf } from "./fields.ts";
import { countLines } from "./output.ts";

/** Lines added to a file and removed from it. */
export interface LineChange {
	readonly added: number;
	readonly removed: number;
}

/** Characters of a diff, or of all edits of a call, that are read. */
const MAX_TEXT = 1_000_000;
/** Edits of one call that are counted. */
const MAX_EDITS = 1000;

/** What a successful write or edit did to its file; undefined for any other tool. */
export function lineChange(tool: string, args: Fields, details: unknown): LineChange | undefined {
	if (tool === "write") return { added: countLines(textOf(args.content)).lines, removed: 0 };
	if (tool !== "edit") return undefined;
	const diff = textOf(fieldsOf(details).diff);
	return diff === "" ? changeOfEdits(args) : changeOfDiff(diff.slice(0, MAX_TEXT));
}

/** Counts the lines of a diff, which is unified or as pi writes it, with line numbers behind the signs. */
function changeOfDiff(diff: string): LineChange {
	const isUnified = /^(?:--- |@@ )/m.test(diff.slice(0, 1000));
	// The file names before the first hunk of a unified diff begin with the same signs.
	let at = isUnified ? diff.search(/^@@ /m) : 0;
	let added = 0;
	let removed = 0;
	for (; at !== -1; at = nextLine(diff, at)) {
		const sign = diff[at];
		if (sign === "+") added++;
		else if (sign === "-") removed++;
	}
	return { added, removed };
}

function nextLine(text: string, from: number): number {
	const end = text.indexOf("\n", from);
	return end === -1 || end + 1 >= text.length ? -1 : end + 1;
}

/** Counts without a diff: in each edit, the lines from the first to the last that differ. */
function changeOfEdits(args: Fields): LineChange {
	const edits = Array.isArray(args.edits) ? listOf(args.edits).slice(0, MAX_EDITS).map(fieldsOf) : [args];
	let added = 0;
	let removed = 0;
	let left = MAX_TEXT;
	for (const { oldText, newText } of edits) {
		const [before, after] = [textOf(oldText), textOf(newText)];
		left -= before.length + after.length;
		if (left < 0) break;
		const change = changeBetween(before.split("\n"), after.split("\n"));
		added += change.added;
		removed += change.removed;
	}
	return { added, removed };
}

function changeBetween(before: readonly string[], after: readonly string[]): LineChange {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) start++;
	let end = 0;
	while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
	return { added: after.length - start - end, removed: before.length - start - end };
}
