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
		parts.flatMap((part) => part.changes.files.map((file) => ({ ...part, file }))),
		({ file }) => file.path,
	);
	const files: ChangedFile[] = [];
	for (const ofFile of byPath.values()) {
		ofFile.sort((one, other) => startOf(one.file) - startOf(other.file));
		files.push(await joined(ofFile, options, slice));
	}
	files.sort((one, other) => startOf(one) - startOf(other));
	return {
		files,
		commands: parts.flatMap(({ changes }) => changes.commands),
		left: parts.flatMap(({ changes }) => changes.left).filter(({ path }) => !byPath.has(path)),
		unplaced: parts.reduce((sum, { changes }) => sum + changes.unplaced, 0),
	};
}

type PartOfFile = FamilyPart & { readonly file: ChangedFile };

/** What several sessions changed in a file: what one left, the next one found, as far as that is known. */
async function joined(parts: readonly PartOfFile[], options: ChangesOptions, slice: TimeSlice): Promise<ChangedFile> {
	const [first, ...others] = parts;
	if (first === undefined) throw new TypeError("a file that is changed has a session that did it");
	if (others.length === 0) return first.file;
	const files = [first.file];
	for (const { session, span, file } of others)
		files.push(await goingOn(session, span, file, files.at(-1), options, slice));
	const timed = parts
		.flatMap(({ session, file: { edits } }) => edits.map((edit) => ({ session, edit })))
		.sort((one, other) => timeOf(one.edit) - timeOf(other.edit));
	const edits = timed.map(({ edit }) => edit);
	const last = files.reduce((latest, file) => (endOf(file) >= endOf(latest) ? file : latest));
	const sum = { ...editedFile(first.file.path, edits), firstMs: first.file.firstMs };
	const whys = [...new Set([`${files.length} sessions changed it`, first.file.why, last.why])];
	const why = whys.filter((clause) => clause !== "").join("; ");
	if (first.file.answer === "edits" || last.answer === "edits")
		return {
			...sum,
			answer: "edits",
			why,
			diffs: timed.map(({ session, edit }) => editHunks(edit, session, options.home)),
		};
	const isWhole = files.every(
		({ answer, before }, at) => answer === "exact" && (at === 0 || files[at - 1]?.after === before),
	);
	return { ...sum, answer: isWhole ? "exact" : "likely", why, before: first.file.before, after: last.after, diffs: [] };
}

/** What a session changed in a file that another one had left, whose text it may not have seen. */
async function goingOn(
	session: Session,
	span: ChangeSpan,
	file: ChangedFile,
	left: ChangedFile | undefined,
	options: ChangesOptions,
	slice: TimeSlice,
): Promise<ChangedFile> {
	if (file.answer === "exact" || left === undefined || left.answer === "edits") return file;
	const starts = new Map([
		[file.path, { text: left.after, why: "the text before is that which another session had left" }],
	]);
	const changes = await slice.run(sessionChanges(session, span, { ...options, starts, paths: new Set([file.path]) }));
	return changes.files.find(({ answer }) => answer !== "edits") ?? file;
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
