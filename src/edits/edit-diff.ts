import { type FileEdit, fileEditFrom, fileEditOf } from "../conversation/blocks/file-edit.ts";
import { callOf } from "../conversation/entries/tool-call.ts";
import type { DiffLine } from "../conversation/render/diff-lines.ts";
import type { Renderers } from "../conversation/render/renderers.ts";
import { fieldsOf, textOf } from "../store/format/fields.ts";
import type { Session } from "../store/read/read-session.ts";
import { EditCollector } from "./edit-collector.ts";
import type { SessionEdit } from "./session-files.ts";

/** What an edit of a session changed: as pi wrote it, else as it was asked for. `home`: the person's home directory. */
export function changesIn({ entryId, path, nth }: SessionEdit, session: Session, home: string): readonly FileEdit[] {
	const entry = session.tree.byId.get(entryId);
	if (entry === undefined) return [];
	const call = callOf(entry, session);
	const change = call && fileEditOf(call, fieldsOf(fieldsOf(entry).message));
	if (change !== undefined) return [change];
	// A script of the model made it: the entry has the call itself, and no diff.
	const nested = new EditCollector(session.header?.cwd ?? "", home)
		.add(entry)
		.find((edit) => edit.path === path && edit.nth === nth);
	const nestedChange = nested && fileEditFrom(path, nested.change, "");
	return nestedChange === undefined ? [] : [nestedChange];
}

/** The same as one diff. */
export function editDiff(
	edit: SessionEdit,
	session: Session,
	renderers: Renderers | undefined,
	home: string,
): readonly DiffLine[] {
	return changesIn(edit, session, home).flatMap(({ lines }) => [...lines(renderers)]);
}

/**
 * An edit as hunks of a unified diff. Where the places of its lines are not known, and for a file that was written, its lines are comments,
 * which programs that apply a patch skip.
 */
export function editHunks(edit: SessionEdit, session: Session, home: string): string {
	const message = fieldsOf(fieldsOf(session.tree.byId.get(edit.entryId)).message);
	const patch = textOf(fieldsOf(message.details).patch);
	const start = patch.search(/^@@ /m);
	// Unlike pi's own form, it says whether the last line has an end.
	if (start !== -1) return `${patch.slice(start).replace(/\n+$/, "")}\n`;
	const lines = editDiff(edit, session, undefined, home);
	const isPlaced = lines.every(({ kind, before, after }) => kind === "gap" || (before ?? after) !== undefined);
	if (edit.tool === "write" || !isPlaced) return lines.map((line) => `# ${signed(line)}`).join("");
	const hunks: DiffLine[][] = [[]];
	for (const line of lines) {
		if (line.kind === "gap") hunks.push([]);
		else hunks.at(-1)?.push(line);
	}
	return hunks
		.filter(({ length }) => length > 0)
		.map(hunkText)
		.join("");
}

const SIGNS = { same: " ", removed: "-", added: "+", gap: " …", note: "" } as const;

function signed({ kind, text }: DiffLine): string {
	return `${SIGNS[kind]}${text}\n`;
}

function hunkText(lines: readonly DiffLine[]): string {
	const [old, now] = (["before", "after"] as const).map((side) => {
		const numbers = lines.flatMap((line) => line[side] ?? []);
		return `${numbers[0] ?? 0},${numbers.length}`;
	});
	return `@@ -${old} +${now} @@\n${lines.map(signed).join("")}`;
}
