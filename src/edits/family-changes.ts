import type { TimeSlice } from "../shared/steps.ts";
import type { Session } from "../store/read/read-session.ts";
import { changesFromCommits } from "./committed-texts.ts";
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
interface FamilyPart {
	readonly session: Session;
	readonly span: ChangeSpan;
	readonly changes: SessionChanges;
}

export interface FamilyOptions extends Pick<ChangesOptions, "home"> {
	/** Whether they are of another machine: what is checked out here says nothing of that. */
	readonly isRemote: boolean;
	readonly slice: TimeSlice;
	/** The sessions of runs of subagents, whose changes are wanted, too. */
	readonly runs: readonly string[];
	/** Reads a run; undefined if that is impossible. */
	readonly readRun: (path: string) => Promise<Session | undefined>;
}

/** What a session changed in a span, and the runs that it started, the files in the order in which they were first changed. */
export async function familyChanges(
	session: Session,
	span: ChangeSpan,
	options: FamilyOptions,
): Promise<SessionChanges> {
	const { home, isRemote, slice, runs, readRun } = options;
	const partOf = async (one: Session, own: ChangeSpan): Promise<FamilyPart> => ({
		...{ session: one, span: own },
		changes: isRemote
			? await slice.run(sessionChanges(one, own, { home }))
			: await changesFromCommits(one, own, { home }, slice),
	});
	const first = await partOf(session, span);
	const parts = [first];
	for (const path of runs) {
		const run = await readRun(path);
		if (run !== undefined) parts.push(await partOf(run, spanOfRun(run, session)));
	}
	if (runs.length === 0) return first.changes;
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
		const changes = sessionChanges(session, span, { home, starts, paths, others: [...otherSessions] });
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

/** The part of a run that is its own: one that was forked begins with a copy of the session that started it. */
function spanOfRun(run: Session, parent: Session): ChangeSpan {
	const to = run.tree.leafId ?? "";
	for (const { id, timestamp } of run.tree.table.pathUp(to))
		if (parent.tree.byId.get(id)?.timestamp === timestamp) return { from: id, to };
	return { to };
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
	{ home }: Pick<ChangesOptions, "home">,
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
