import { type FileEdit, fileEditFrom } from "../conversation/blocks/file-edit.ts";
import { callOf } from "../conversation/entries/tool-call.ts";
import type { DiffLine } from "../conversation/render/diff-lines.ts";
import { editLines } from "../conversation/render/edit-lines.ts";
import type { Renderers } from "../conversation/render/renderers.ts";
import { fieldsOf, textOf } from "../store/format/fields.ts";
import { type ToolChange, toolChange, toolPath } from "../store/format/tool-change.ts";
import type { Session } from "../store/read/read-session.ts";
import { nestedChanges } from "./edit-collector.ts";
import { type EditPatch, readHunks, writtenHunks } from "./patch-hunks.ts";
import type { SessionEdit } from "./session-files.ts";

/** What an edit of a session changed: as pi wrote it, else as it was asked for. `home`: the person's home directory. */
export function changesIn(edit: SessionEdit, session: Session, home: string): readonly FileEdit[] {
	const [change, details] = callAndDetails(edit, session, home);
	const fileEdit = fileEditFrom(change?.path ?? "", change, textOf(fieldsOf(details).diff));
	return fileEdit === undefined ? [] : [fileEdit];
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

/** An edit as a part of a patch: what pi wrote about it, if that is a diff of one file whose counts are right, else what was asked for. */
export function editHunks(edit: SessionEdit, session: Session, home: string): EditPatch {
	const [change, details] = callAndDetails(edit, session, home);
	if (change?.tool === "write") return { of: "file", text: change.content };
	const edits = change?.edits ?? [];
	const { patch, diff } = fieldsOf(details);
	// Unlike pi's own form, a unified diff says whether the last line has an end.
	const hunks = readHunks(textOf(patch)) ?? readHunks(textOf(diff)) ?? writtenHunks(textOf(diff));
	if (hunks === undefined) return { of: "texts", lines: [...editLines(edits, undefined)] };
	const shownTexts = [textOf(patch), textOf(diff), ...edits.map(({ oldText }) => oldText)];
	return { of: "hunks", hunks, lineEnd: shownTexts.some((text) => text.includes("\r\n")) ? "\r\n" : undefined };
}

/** What an edit was asked to do, and what its result says of that. */
function callAndDetails(
	{ entryId, path, nth }: SessionEdit,
	session: Session,
	home: string,
): readonly [change: ToolChange | undefined, details: unknown] {
	const entry = session.tree.byId.get(entryId);
	const call = entry && callOf(entry, session);
	const change = call && toolChange(call.name, call.args);
	if (change !== undefined) return [change, fieldsOf(fieldsOf(entry).message).details];
	// A script of the model made it: the entry has the call itself, and no diff.
	const cwd = session.header?.cwd ?? "";
	const changes = [...nestedChanges(fieldsOf(entry).message)];
	return [changes.filter((one) => toolPath(one.path, cwd, home) === path)[nth], undefined];
}
