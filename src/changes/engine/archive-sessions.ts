import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { archiveCounterpart } from "../../catalog/model/archive.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { Shown } from "../guard/guard.ts";
import type { Message } from "./answer.ts";
import { changeEach, type EachTools } from "./change-each.ts";
import { tellOutcome } from "./each-session.ts";
import { listFailures } from "./list-failures.ts";
import { messageOf } from "./make-change.ts";
import { CannotError } from "./reason.ts";

/** What came of it. */
export interface Moved {
	readonly message: Message;
	/** Where the sessions are now. */
	readonly paths: readonly string[];
}

/** One session to move; `shown`: as the person was shown it, and undefined for one that is not listed. */
interface Move {
	readonly path: string;
	readonly shown: Shown | undefined;
}

/** What is done, in words. */
interface Words {
	readonly isBack: boolean;
	/** "archive", of one or of several. */
	readonly now: (whom: string) => string;
	readonly doing: string;
	readonly done: (whom: string) => string;
}

const ARCHIVE: Words = {
	isBack: false,
	now: (whom) => `archive ${whom}`,
	doing: "Archiving sessions",
	done: (whom) => `Archived ${whom}`,
};
const BRING_BACK: Words = {
	isBack: true,
	now: (whom) => `bring ${whom} back from the archive`,
	doing: "Bringing sessions back",
	done: (whom) => `Brought ${whom} back`,
};

/** Puts sessions away that are as they were shown, and that nothing shows to be in use. */
export function archiveSessions(sessions: readonly Shown[], tools: EachTools): Promise<Moved> {
	const moves = sessions.map((shown) => ({ path: shown.row.path, shown }));
	return moveAll(moves, ARCHIVE, tools);
}

/** Puts sessions back where they were; never over a file. */
export function bringBack(paths: readonly string[], tools: EachTools): Promise<Moved> {
	const moves = paths.map((path) => {
		const row = tools.rowOf(path);
		return { path, shown: row && { row, uses: [] } };
	});
	return moveAll(moves, BRING_BACK, tools);
}

/** What fails stays where it is, and does not keep the others from being moved. Rejects when all of it fails. */
async function moveAll(items: readonly Move[], words: Words, tools: EachTools): Promise<Moved> {
	const { isBack, doing } = words;
	const nameOf = ({ path }: Move): string => quote(tools.titleOf(path) ?? basename(path));
	const [first] = items;
	const count = items.length;
	const whom = first !== undefined && count === 1 ? nameOf(first) : formatCounted(count, "session");
	const group = count > 1 ? { id: randomUUID(), what: words.now(whom), count } : undefined;
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
				return { path: archiveCounterpart(path, tools.sessionRoots), unnoted };
			},
		},
		tools,
	);
	const { done: moved, failures } = outcome;
	const [failed] = failures;
	if (moved.length === 0 && failed !== undefined)
		throw new CannotError(words.now(whom), failures.length === 1 ? failed.error : listFailures(failures));
	const paths = moved.map(({ path }) => path);
	const unnoted = moved.find((one) => one.unnoted !== undefined)?.unnoted;
	if (count === 1 && moved.length === 1) return { message: messageOf(words.done(whom), unnoted), paths };
	const some = `${formatCount(moved.length)} of ${formatCounted(count, "session")}`;
	const done = words.done(moved.length === count ? whom : some);
	return { message: tellOutcome(outcome, { changed: moved.length, done, left: "are as they were", unnoted }), paths };
}
