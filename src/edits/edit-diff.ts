import { fileEditOf } from "../conversation/blocks/file-edit.ts";
import { callOf } from "../conversation/entries/tool-call.ts";
import type { DiffLine } from "../conversation/render/diff-lines.ts";
import { editLines, writtenLines } from "../conversation/render/edit-lines.ts";
import type { Renderers } from "../conversation/render/renderers.ts";
import { fieldsOf } from "../store/format/fields.ts";
import type { Session } from "../store/read/read-session.ts";
import { EditCollector } from "./edit-collector.ts";
import type { SessionEdit } from "./session-files.ts";

/** The diff of an edit of a session, as pi wrote it, else as it was asked for. `home`: the person's home directory. */
export function editDiff(
	{ entryId, path }: SessionEdit,
	session: Session,
	renderers: Renderers | undefined,
	home: string,
): readonly DiffLine[] {
	const entry = session.tree.byId.get(entryId);
	if (entry === undefined) return [];
	const call = callOf(entry, session);
	const change = call && fileEditOf(call, fieldsOf(fieldsOf(entry).message));
	if (change !== undefined) return [...change.lines(renderers)];
	// A script of the model made it: the entry has the call itself, and no diff.
	const nested = new EditCollector(session.header?.cwd ?? "", home).add(entry);
	return nested
		.filter((edit) => edit.path === path)
		.flatMap(({ change: edit }) =>
			edit.tool === "write" ? [...writtenLines(edit.content)] : [...editLines(edit.edits, renderers)],
		);
}
