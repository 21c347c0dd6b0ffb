import { type FileEdit, fileEditFrom, fileEditOf } from "../conversation/blocks/file-edit.ts";
import { callOf } from "../conversation/entries/tool-call.ts";
import type { DiffLine } from "../conversation/render/diff-lines.ts";
import type { Renderers } from "../conversation/render/renderers.ts";
import { fieldsOf } from "../store/format/fields.ts";
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
