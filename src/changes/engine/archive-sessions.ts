import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { archiveCounterpart, withKnownProjects } from "../../catalog/model/session-roots.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import type { Shown } from "../guard/guard.ts";
import { CannotError, listFailures } from "../reason.ts";
import type { Message } from "./answer.ts";
import { changeEach, describeOutcome, type EachTools, unnotedOf } from "./each-session.ts";
import { messageOf } from "./make-change.ts";

/** The result of moving sessions. */
export interface Moved {
	readonly message: Message;
	/** Where the moved sessions are now. */
	readonly paths: readonly string[];
}

/** A session to move; `shown`: as the person saw it, undefined if it is not listed. */
interface Move {
	readonly path: string;
	readonly shown: Shown | undefined;
}

/** The texts of one direction; `sessions`: “Lexer” or "3 sessions". */
interface Words {
	readonly isBack: boolean;
	/** "archive 3 sessions" */
	readonly now: (sessions: string) => string;
	/** "Archiving sessions" */
	readonly doing: string;
	/** "Archived 3 sessions" */
	readonly done: (sessions: string) => string;
}

const ARCHIVE: Words = {
	isBack: false,
	now: (sessions) => `archive ${sessions}`,
	doing: "Archiving sessions",
	done: (sessions) => `Archived ${sessions}`,
};
const BRING_BACK: Words = {
	isBack: true,
	now: (sessions) => `bring ${sessions} back from the archive`,
	doing: "Bringing sessions back",
	done: (sessions) => `Brought ${sessions} back`,
};

/** Archives the sessions that are unchanged since they were shown and not in use. Rejects if none can be archived. */
export function archiveSessions(sessions: readonly Shown[], tools: EachTools): Promise<Moved> {
	const moves = sessions.map((shown) => ({ path: shown.row.path, shown }));
	return moveAll(moves, ARCHIVE, tools);
}

/** Moves sessions back out of the archive; never over an existing file. Rejects if none can be moved. */
export function bringBack(paths: readonly string[], tools: EachTools): Promise<Moved> {
	const moves = paths.map((path) => {
		const row = tools.rowOf(path);
		return { path, shown: row && { row, uses: [] } };
	});
	return moveAll(moves, BRING_BACK, tools);
}

/** A session that fails stays where it is, and the others are still moved. Rejects when all of them fail. */
async function moveAll(items: readonly Move[], words: Words, tools: EachTools): Promise<Moved> {
	const { isBack, doing } = words;
	const nameOf = ({ path }: Move): string => quote(tools.titleOf(path) ?? basename(path));
	const [first] = items;
	const count = items.length;
	const sessions = first !== undefined && count === 1 ? nameOf(first) : formatCounted(count, "session");
	const group = count > 1 ? { id: randomUUID(), what: words.now(sessions), count } : undefined;
	const outcome = await changeEach(
		{
			items,
			group,
			doing,
			nameOf,
			pathOf: ({ path }) => path,
			guard: ({ shown }) => shown && { act: "take", shown },
			async one({ path, shown }, makeOne) {
				const size = isBack ? undefined : shown?.row.size;
				const { unnoted } = await makeOne({ type: "move", path, isBack, size });
				return { path: archiveCounterpart(path, withKnownProjects(tools.sessionRoots)), unnoted };
			},
		},
		tools,
	);
	const { done: moved, failures } = outcome;
	const [failed] = failures;
	if (moved.length === 0 && failed !== undefined)
		throw new CannotError(words.now(sessions), failures.length === 1 ? failed.error : listFailures(failures));
	const paths = moved.map(({ path }) => path);
	if (count === 1 && moved.length === 1) return { message: messageOf(words.done(sessions), unnotedOf(moved)), paths };
	const some = `${formatCount(moved.length)} of ${formatCounted(count, "session")}`;
	const done = words.done(moved.length === count ? sessions : some);
	return { message: describeOutcome(outcome, { changed: moved.length, done, left: "unchanged", made: moved }), paths };
}
