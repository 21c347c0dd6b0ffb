import type { TimeSlice } from "../shared/steps.ts";
import type { Session } from "../store/read/read-session.ts";
import { editHunks } from "./edit-diff.ts";
import {
	type ChangedFile,
	type ChangeSpan,
	type ChangesOptions,
	type SessionChanges,
	sessionChanges,
} from "./session-changes.ts";
import { editedFile, type SessionEdit } from "./session-files.ts";

/** A session of a family, with what it changed in its part. */
export interface FamilyPart {
	readonly session: Session;
	readonly span: ChangeSpan;
	readonly changes: SessionChanges;
}

/** The part of a run that is its own: one that was forked begins with a copy of the session that started it. */
export function spanOfRun(run: Session, parent: Session): ChangeSpan {
	const to = run.tree.leafId ?? "";
	for (const { id, timestamp } of run.tree.table.pathUp(to))
		if (parent.tree.byId.get(id)?.timestamp === timestamp) return { from: id, to };
	return { to };
}

/** What the sessions of a family changed together, the files in the order in which they were first changed. */
export async function familyChanges(
	parts: readonly FamilyPart[],
	options: ChangesOptions,
	slice: TimeSlice,
): Promise<SessionChanges> {
	const byPath = Map.groupBy(
		parts.flatMap((part) => part.changes.files.map((file): PartOfFile => ({ ...part, file }))),
		({ file }) => file.path,
	);
	const sharedFiles = [...byPath.values()].filter((ofFile) => ofFile.length > 1).map(inOrder);
	const changesTogether = new Map<Session, ReadonlyMap<string, ChangedFile>>();
	for (const { session, span } of parts) {
		const files = sharedFiles.filter(({ first, last }) => first.session === session || last.session === session);
		if (files.length === 0) continue;
		const otherSessions = new Set(files.flatMap(({ all }) => all.map((part) => part.session)));
		otherSessions.delete(session);
		const starts = new Map(
			files.flatMap(({ first: { file, changes } }) => {
				const start = changes.starts?.get(file.path);
				return start === undefined ? [] : [[file.path, start]];
			}),
		);
		const paths = new Set(files.map(({ first }) => first.file.path));
		const changes = sessionChanges(session, span, { ...options, starts, paths, others: [...otherSessions] });
		const { files: changedFiles } = await slice.run(changes);
		changesTogether.set(session, new Map(changedFiles.map((file) => [file.path, file])));
	}
	const files = [...byPath.values()].flatMap(([part, ...more]) =>
		part !== undefined && more.length === 0 ? [part.file] : [],
	);
	for (const file of sharedFiles)
		files.push(joined(file, (part) => changesTogether.get(part.session)?.get(part.file.path), options));
	files.sort((one, other) => startOf(one) - startOf(other));
	return {
		files,
		commands: parts.flatMap(({ changes }) => changes.commands),
		left: parts.flatMap(({ changes }) => changes.left).filter(({ path }) => !byPath.has(path)),
		unplaced: parts.reduce((sum, { changes }) => sum + changes.unplaced, 0),
	};
}

type PartOfFile = FamilyPart & { readonly file: ChangedFile };

/** What several sessions changed in a file. */
interface SharedFile {
	readonly all: readonly PartOfFile[];
	/** The one that changed it first, and the one that did it last. */
	readonly first: PartOfFile;
	readonly last: PartOfFile;
}

function inOrder(all: readonly PartOfFile[]): SharedFile {
	const first = all.reduce((one, other) => (startOf(other.file) < startOf(one.file) ? other : one));
	const last = all.reduce((one, other) => (endOf(other.file) >= endOf(one.file) ? other : one));
	return { all, first, last };
}

/** A file from before the first of its changes to after the last, which are followed as those of one disk. */
function joined(
	{ all, first, last }: SharedFile,
	followed: (part: PartOfFile) => ChangedFile | undefined,
	{ home }: ChangesOptions,
): ChangedFile {
	const [start, end] = [followed(first) ?? first.file, followed(last) ?? last.file];
	const timed = all
		.flatMap(({ session, file: { edits } }) => edits.map((edit) => ({ session, edit })))
		.sort((one, other) => timeOf(one.edit) - timeOf(other.edit));
	const sum = {
		...editedFile(
			start.path,
			timed.map(({ edit }) => edit),
		),
		firstMs: start.firstMs,
	};
	const whys = [...new Set([`${all.length} sessions changed it`, start.why, end.why])];
	const why = whys.filter((clause) => clause !== "").join("; ");
	if (start.answer === "edits" || end.answer === "edits") {
		const diffs = timed.map(({ session, edit }) => editHunks(edit, session, home));
		return { ...sum, answer: "edits", why, diffs };
	}
	const isExact = start.answer === "exact" && end.answer === "exact";
	return { ...sum, answer: isExact ? "exact" : "likely", why, before: start.before, after: end.after, diffs: [] };
}

function startOf({ edits }: ChangedFile): number {
	return timeOf(edits[0]);
}

function endOf({ edits }: ChangedFile): number {
	return timeOf(edits.at(-1));
}

function timeOf(edit: SessionEdit | undefined): number {
	return edit === undefined || Number.isNaN(edit.timeMs) ? 0 : edit.timeMs;
}
