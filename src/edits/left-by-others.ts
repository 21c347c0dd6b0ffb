import { isSession, type SessionRow } from "../catalog/model/row.ts";
import { runTitle, titleText } from "../conversation/entries/session-title.ts";
import type { TimeSlice } from "../shared/steps.ts";
import { isUnder } from "../store/files/paths.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import { readHeld } from "../store/held/hold-session.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatDayTime } from "../ui/text/format.ts";
import { sanitizeLine } from "../ui/text/sanitize.ts";
import type { FirstChange } from "./committed-texts.ts";
import type { FileEdit } from "./edit-collector.ts";
import type { UnseenCommand } from "./file-watcher.ts";
import { readEdits } from "./find-edits.ts";
import { clauses, followFiles, ranSince, type StartText } from "./follow-files.ts";
import { contentOf, type KnownFile, type OwnEdits } from "./known-files.ts";
import { editKey } from "./session-files.ts";

/** What other sessions had left of the files below a directory at a time. */
export interface LeftByOthers {
	/** By path; of several sessions, what the one left that changed the file last. */
	readonly files: ReadonlyMap<string, KnownFile>;
	/** Commands of other sessions that may have changed some of them, in no particular order. */
	readonly commands: readonly OtherCommand[];
	/** What could not be read: one sentence each. */
	readonly unread: readonly string[];
}

/** A command of another session. */
export interface OtherCommand extends UnseenCommand {
	/** Unix ms. */
	readonly timeMs: number;
	/** The title of the session. */
	readonly title: string;
}

interface OthersOptions {
	/** The listed sessions; those of other directories are left out. */
	readonly rows: readonly SessionRow[];
	/** The session that asks. */
	readonly own: Session;
	/** A fork has copies of them. */
	readonly ownEdits: OwnEdits;
	readonly root: string;
	/** From when on commands matter, Unix ms: when the first file was last seen whole. */
	readonly sinceMs: number;
	/** Unix ms. */
	readonly timeMs: number;
	readonly home: string;
	/** What files held before they were first changed, as far as commits tell. */
	readonly startsOf: (changes: readonly FirstChange[]) => Promise<ReadonlyMap<string, StartText>>;
	readonly slice: TimeSlice;
}

/**
 * Finds what other sessions of a directory, runs of subagents included, had left of its files. Only sessions that worked there before that
 * time are searched, and only the last one of each file, and those that went on since the first file was last seen, are read. Rejects with a `RipgrepError` if ripgrep cannot be used.
 */
export async function leftByOthers(options: OthersOptions): Promise<LeftByOthers> {
	const { rows, own, ownEdits, root, sinceMs, timeMs, home, startsOf, slice } = options;
	const near = rows.filter(
		(row) =>
			row.path !== own.path &&
			row.place === undefined &&
			isSession(row) &&
			row.created.getTime() <= timeMs &&
			(row.cwd === root || isUnder(row.cwd, root) || (row.cwd !== "" && isUnder(root, row.cwd))),
	);
	const lastEdits = new Map<
		string,
		{ readonly edit: FileEdit; readonly session: string; readonly first: FirstChange }
	>();
	if (near.length === 0) return { files: new Map(), commands: [], unread: [] };
	const { unread } = await readEdits(near, ({ path: session, edits }) => {
		const firsts = new Map<string, FirstChange>();
		for (const edit of edits) {
			const { path, timeMs: firstMs, change } = edit;
			const first = firsts.get(path) ?? { path, firstMs, isEdit: change.tool === "edit" };
			firsts.set(path, first);
			const isOurs = isUnder(edit.path, root) && edit.timeMs <= timeMs && !ownEdits.keys.has(editKey(edit));
			if (isOurs && edit.timeMs >= (lastEdits.get(edit.path)?.edit.timeMs ?? Number.NEGATIVE_INFINITY))
				lastEdits.set(edit.path, { edit, session, first });
		}
	});
	const files = new Map<string, KnownFile>();
	const commands: OtherCommand[] = [];
	const bySession = Map.groupBy(lastEdits.values(), ({ session }) => session);
	for (const row of near) {
		const { path } = row;
		const last = bySession.get(path) ?? [];
		if (last.length === 0 && row.modified.getTime() < sinceMs) continue;
		const session = await readHeld(path);
		const title = sanitizeLine(runTitle(row) ?? titleText(row));
		const stops = new Set(last.map(({ edit }) => edit.entryId));
		const paths = new Set(last.map(({ edit }) => edit.path));
		const starts = await startsOf(last.flatMap(({ first }) => (first.isEdit ? [first] : [])));
		const sharing = last.some(({ edit }) => ownEdits.edits.has(edit.path)) ? [own] : [];
		const followed = await slice.run(followFiles(session, { home, stops, paths, starts, others: sharing }));
		for (const { entryId, text, changes } of followed.commands) {
			const ranMs = timeOf(session.tree.byId.get(entryId)?.timestamp);
			if (ranMs >= sinceMs && ranMs <= timeMs) commands.push({ text, changes, timeMs: ranMs, title });
		}
		for (const { edit } of last) {
			const state = followed.at(edit.path, edit.entryId);
			const content = contentOf(state);
			const sight = `left by “${title}”, ${formatDayTime(edit.timeMs, Date.now())}`;
			files.set(edit.path, {
				...{ path: edit.path, session: path, entryId: edit.entryId, isChanged: true },
				...{ seenMs: edit.timeMs, touchedMs: edit.timeMs, ...content },
				// What happened to it since, nobody has seen.
				answer: content.answer === "unknown" ? "unknown" : "likely",
				why: clauses(sight, ranSince(edit.path, state.answer === "unknown" ? [] : state.commands), state.whyBeside),
			});
		}
	}
	return { files, commands, unread };
}
