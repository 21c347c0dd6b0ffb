import { roleOf } from "../conversation/entries/entry-kind.ts";
import { ENTRIES_PER_STEP, type Steps } from "../shared/steps.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import type { RanCommand } from "./file-watcher.ts";
import { clauses, type FollowOptions, followFiles, type RebuiltFile, ranSince } from "./follow-files.ts";
import { gatherEdits, type SessionEdit, TurnCounter } from "./session-files.ts";

/** What a file held at a time, as far as a session shows. */
export interface ShownContent {
	/** "exact": shown to the byte; "likely": `why` says what may be missing; "unknown": only that a session changed it. */
	readonly answer: "exact" | "likely" | "unknown";
	/** What shows it. */
	readonly why: string;
	/** Undefined if it is as the commit has it, does not exist, or is not known. */
	readonly text: string | undefined;
	/** Whether it does not exist, although the commit has it. */
	readonly isAbsent: boolean;
	/** Path of the session that shows it, and the entry there. */
	readonly session: string;
	readonly entryId: string | undefined;
}

/** What one session shows of a file at a time. */
export interface KnownFile extends ShownContent {
	/** Absolute. */
	readonly path: string;
	/** Whether the session changed it; otherwise it only read it. */
	readonly isChanged: boolean;
	/** When its whole content was last seen, and when it was last seen or changed, Unix ms; NaN if it never was. */
	readonly seenMs: number;
	readonly touchedMs: number;
}

/** A command in a turn, from 1. */
export interface TurnCommand extends RanCommand {
	readonly turn: number;
}

/** What a session did to files on the way to an entry, and on branches before. */
export interface OwnEdits {
	/** The turn of each entry. */
	readonly turns: ReadonlyMap<string, number>;
	/** By path. */
	readonly edits: ReadonlyMap<string, { readonly first: SessionEdit; readonly last: SessionEdit }>;
	/** All of them (`editKey`). */
	readonly keys: ReadonlySet<string>;
}

/** Gathers what a session did to files until it wrote an entry, in steps. `home`: of the person whose session it is. */
export function* ownEdits(session: Session, entryId: string, home: string): Steps<OwnEdits> {
	const { tree } = session;
	const entries = session.entries.slice(0, (tree.table.indexOf(entryId) ?? -1) + 1);
	const { edits: all } = yield* gatherEdits({ ...session, entries }, home);
	const counter = new TurnCounter(tree);
	const turns = new Map<string, number>();
	for (const [index, entry] of entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		turns.set(entry.id, counter.add(index, roleOf(entry)));
	}
	const edits = new Map<string, { readonly first: SessionEdit; readonly last: SessionEdit }>();
	for (const edit of all) edits.set(edit.path, { first: edits.get(edit.path)?.first ?? edit, last: edit });
	const keys = new Set(all.map(({ key }) => key));
	return { turns, edits, keys };
}

/** What a session shows of files on the way to an entry. */
interface OwnFiles {
	readonly files: readonly KnownFile[];
	readonly commands: readonly TurnCommand[];
}

/** What a session shows of files when it wrote an entry, in steps. `starts`: what they held before, as far as commits tell. */
export function* ownFiles(
	session: Session,
	entryId: string,
	{ turns, edits }: OwnEdits,
	options: Pick<FollowOptions, "home" | "starts" | "others" | "paths">,
): Steps<OwnFiles> {
	const { tree, entries } = session;
	const last = tree.table.indexOf(entryId) ?? -1;
	const followed = yield* followFiles(session, { ...options, stops: new Set([entryId]) });
	const timeIn = (id: string | undefined): number => timeOf(tree.byId.get(id ?? "")?.timestamp);
	const files: KnownFile[] = [];
	for (const path of followed.paths) {
		yield;
		const state = followed.at(path, entryId);
		const edit = edits.get(path);
		if (edit === undefined && state.answer === "unknown") continue;
		const seenMs = timeIn(state.base?.entryId);
		const sight = shownBy(state, edit && turns.get(edit.last.entryId), turns);
		files.push({
			...{ path, session: session.path, entryId: edit?.last.entryId ?? state.base?.entryId },
			isChanged: edit !== undefined,
			...{ seenMs, touchedMs: Math.max(edit?.last.timeMs || 0, seenMs || 0) },
			...contentOf(state),
			why: clauses(sight, ranSince(path, state.answer === "unknown" ? [] : state.commands), state.whyBeside),
		});
	}
	// What the entry itself asks for runs after it.
	const end = roleOf(entries[last]) === "assistant" ? last : last + 1;
	const commands = followed.commands.filter(({ entryId: id }) => (tree.table.indexOf(id) ?? end) < end);
	return { files, commands: commands.map((command) => ({ ...command, turn: turns.get(command.entryId) ?? 0 })) };
}

/** The content that a rebuilt file most likely has: of several, that which is on the disk if nobody has restored another one. */
export function contentOf({ answer, texts, isAbsent }: RebuiltFile): Pick<KnownFile, "answer" | "text" | "isAbsent"> {
	const [text] = texts;
	return { answer: answer === "candidates" ? "likely" : answer, text, isAbsent: text === undefined && isAbsent };
}

/** "read whole in turn 1, edited in turn 2" */
function shownBy(
	{ base, edits, isAbsent }: RebuiltFile,
	editTurn: number | undefined,
	turns: ReadonlyMap<string, number>,
): string {
	const edited = editTurn === undefined ? "" : `edited in turn ${editTurn}`;
	if (base === undefined) return edited;
	const how = { write: "written", read: isAbsent ? "not there" : "read whole", remove: "deleted" }[base.tool];
	const turn = turns.get(base.entryId);
	const first = `${how} ${turn === undefined ? "by another session" : `in turn ${turn}`}`;
	return edits === 0 || edited === "" ? first : `${first}, ${edited}`;
}
