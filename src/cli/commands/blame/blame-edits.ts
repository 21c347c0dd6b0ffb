import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname } from "node:path";
import { gitNoteOf, gitNotesPath, openGitNotes } from "../../../app/features/maintenance/effects/git-notes.ts";
import type { GitNote } from "../../../app/features/maintenance/maintenance-state.ts";
import { readDirectly } from "../../../app/world/effects/disk-read.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { KnownEdit } from "../../../edits/blame.ts";
import type { FileEdit } from "../../../edits/edit-collector.ts";
import { seenBefore } from "../../../edits/find-edits.ts";
import { lineEvents } from "../../../edits/line-events.ts";
import { type BlamedFile, canonical, pathsOf } from "./blamed-file.ts";
import { type EditsRead, readEdits } from "./read-edits.ts";

/** The edits of a file, and where each is in its session's file. */
export interface FoundEdits extends EditsRead {
	/** Oldest first. */
	readonly edits: readonly KnownEdit[];
	/** Byte offset of the line with the edit's result. */
	readonly resultAt: ReadonlyMap<KnownEdit, number | undefined>;
}

interface Placed {
	readonly edit: FileEdit;
	readonly session: string;
	readonly isHere: boolean;
}

/** Finds all edits of a file by all sessions, in all directories with a copy of it. Undefined without ripgrep. */
export async function findFileEdits(file: BlamedFile, rows: readonly SessionRow[]): Promise<FoundEdits | undefined> {
	const here = pathsOf(file);
	const names = [...new Set([file.path, file.typed, ...file.names].map((path) => basename(path)))];
	const isCopy = await copyFinder(file);
	const placed: Placed[] = [];
	const waiting: Promise<void>[] = [];
	const read = await readEdits(
		rows,
		({ path: session, edits }) => {
			for (const edit of edits) {
				if (!names.includes(basename(edit.path))) continue;
				if (here.has(canonical(edit.path))) placed.push({ edit, session, isHere: true });
				else
					waiting.push(
						isCopy(edit.path).then((copy) => {
							if (copy !== "no") placed.push({ edit, session, isHere: copy === "yes" });
						}),
					);
			}
		},
		names,
	);
	await Promise.all(waiting);
	if (read === undefined) return undefined;
	const wanted = [...new Set(file.lines.map(({ text }) => text))].filter((text) => text.trim() !== "");
	const created = new Map(rows.map(({ path, created: at }) => [path, at.getTime()]));
	// An edit that a fork has copied belongs to the older session.
	placed.sort((one, other) => (created.get(one.session) ?? 0) - (created.get(other.session) ?? 0));
	const seen = new Map<string, string>();
	const resultAt = new Map<KnownEdit, number | undefined>();
	for (const one of placed) {
		const { edit, session } = one;
		const key = `${edit.entryId} ${edit.timestamp} ${edit.path}`;
		const first = edit.entryId === "" ? undefined : seen.get(key);
		if (first !== undefined && first !== session) continue;
		seen.set(key, session);
		resultAt.set(knownEdit(one, wanted), edit.resultAt);
	}
	const edits = [...resultAt.keys()].sort((one, other) => (one.timeMs || 0) - (other.timeMs || 0));
	return { ...read, edits, resultAt };
}

function knownEdit({ edit, session, isHere }: Placed, wanted: readonly string[]): KnownEdit {
	const { entryId, timeMs, change, path, callAt } = edit;
	const events = lineEvents(edit);
	let seen: ReadonlySet<string> | undefined;
	const hadSeen = (line: string): boolean => {
		if (callAt === undefined) return true;
		seen ??= seenBefore(
			session,
			callAt,
			wanted.filter((one) => events.adds.has(one)),
		);
		return seen.has(line);
	};
	return { session, entryId, timeMs, tool: change.tool, path, isHere, events, hadSeen };
}

/**
 * Returns a function that says whether a file edited elsewhere is a copy of this one: "yes" in a removed worktree of the same
 * repository, "maybe" in another clone or where the repository may have been before, "no" in an existing directory that is
 * something else.
 */
async function copyFinder(file: BlamedFile): Promise<(path: string) => Promise<"yes" | "maybe" | "no">> {
	const notes = openGitNotes(gitNotesPath(process.env, homedir()), readDirectly, Date.now).read();
	const remote = file.root === undefined ? "" : ((await gitNoteOf(file.root, readDirectly))?.remote ?? "");
	const byDirectory = new Map<string, Promise<GitNote | undefined>>();
	const noteOf = (directory: string): Promise<GitNote | undefined> => {
		const known =
			byDirectory.get(directory) ??
			(existsSync(directory) ? gitNoteOf(directory, readDirectly) : Promise.resolve(notes.get(directory)));
		byDirectory.set(directory, known);
		return known;
	};
	return async (path) => {
		const name = file.names.find((one) => path.endsWith(`/${one}`));
		if (name === undefined) return "no";
		const directory = path.slice(0, -name.length - 1) || dirname(path);
		const isThere = existsSync(directory);
		const note = await noteOf(directory);
		if (!isThere && note?.inside === "" && note.worktreeOf !== "" && note.worktreeOf === file.root) return "yes";
		const isSame = note !== undefined && note.remote !== "" && note.remote === remote;
		if (isSame) return "maybe";
		const isOther = isThere || (note !== undefined && note.remote !== "" && remote !== "");
		return isOther ? "no" : "maybe";
	};
}
