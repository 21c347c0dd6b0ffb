import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { isArchived, otherPlace } from "../../catalog/model/archive.ts";
import { evidenceOf, hasNewUse, type LiveReport, usesOf } from "../../catalog/model/live.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { moveSession } from "../../store/actions/move-session.ts";
import type { Journal } from "../journal/journal.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Effect } from "../model/effect.ts";
import type { Shown } from "../model/outcome.ts";
import type { Message } from "../model/state.ts";
import { describeUse, howToFree } from "../text/describe-use.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { gatherChanged } from "./gather-changed.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import type { LongWork } from "./long-work.ts";
import { quote } from "./quote.ts";
import { sentence } from "./reason.ts";

interface Tools {
	readonly journal: Journal;
	readonly sessionRoots: SessionRoots;
	readonly work: LongWork;
	readonly titleOf: (path: string) => string | undefined;
	readonly look: (path: string) => Promise<LiveReport>;
	readonly changed: (paths: readonly string[]) => void;
	readonly clock: () => number;
}

/** What came of it. */
export interface Moved {
	readonly message: Message;
	/** Where the sessions are now. */
	readonly paths: readonly string[];
}

/** One session to move. */
interface Move {
	readonly path: string;
	/** Rejects with why it must not be moved. */
	readonly check: () => Promise<void>;
	/** Its size as the person was shown it, in bytes. */
	readonly size?: number;
}

/** What is done, in words. */
interface Words {
	/** "archive", of one or of several. */
	readonly now: (whom: string) => string;
	readonly doing: string;
	readonly done: (whom: string) => string;
	readonly what: "archive the session" | "bring the session back";
}

const ARCHIVE: Words = {
	now: (whom) => `archive ${whom}`,
	doing: "Archiving sessions",
	done: (whom) => `Archived ${whom}`,
	what: "archive the session",
};
const BRING_BACK: Words = {
	now: (whom) => `bring ${whom} back from the archive`,
	doing: "Bringing sessions back",
	done: (whom) => `Brought ${whom} back`,
	what: "bring the session back",
};

/** What was seen to be in use is believed for so long, in ms: looking at all processes for each of many takes too long. */
const LOOKED_MS = 300;

/** Puts sessions away that are as they were shown, and that nothing shows to be in use. */
export function archiveSessions({ sessions }: Extract<Effect, { type: "archive" }>, tools: Tools): Promise<Moved> {
	const look = lookNowAndThen(tools);
	const moves = sessions.map((shown) => ({
		path: shown.row.path,
		size: shown.row.size,
		check: async () => requireFree(shown, await look(shown.row.path), tools.clock()),
	}));
	return moveAll(moves, ARCHIVE, tools);
}

/** Puts sessions back where they were; never over a file. */
export function bringBack({ paths }: Extract<Effect, { type: "bring-back" }>, tools: Tools): Promise<Moved> {
	const moves = paths.map((path) => ({
		path,
		check: async () => {
			if (!isArchived(path, tools.sessionRoots)) throw new Error("it is not in the archive");
		},
	}));
	return moveAll(moves, BRING_BACK, tools);
}

/** Every move is noted before and after; what fails stays where it is, and does not keep the others from being moved. */
async function moveAll(moves: readonly Move[], words: Words, tools: Tools): Promise<Moved> {
	const name = (path: string): string => quote(tools.titleOf(path) ?? basename(path));
	const [first] = moves;
	const count = moves.length;
	const whom = first !== undefined && count === 1 ? name(first.path) : formatCounted(count, "session");
	const group: Group | undefined = count > 1 ? { id: randomUUID(), what: words.now(whom), count } : undefined;
	const failures: Failure[] = [];
	const paths: string[] = [];
	let unnoted: unknown;
	const gathered = gatherChanged(tools.changed);
	const job = tools.work.begin(words.doing, count);
	try {
		for (const [index, move] of moves.entries()) {
			if (!(await job.goesOn(index))) break;
			const what = words.now(name(move.path));
			try {
				const to = otherPlace(move.path, tools.sessionRoots);
				await move.check();
				await moveNoted(move, to, what, words, group, { ...tools, changed: gathered.changed }).catch(
					(error: unknown) => {
						if (!(error instanceof NotNoted)) throw error;
						unnoted ??= error.cause;
					},
				);
				paths.push(to);
			} catch (error) {
				failures.push({ what: name(move.path), error });
			}
		}
	} finally {
		gathered.flush();
		job.end();
	}
	if (paths.length === 0 && failures.length > 0) throw new Error(whyNone(failures, words.now(whom)));
	return { message: tell(words, whom, count, paths.length, failures, unnoted), paths };
}

/** It was moved, but that could not be noted. */
class NotNoted extends Error {}

async function moveNoted(
	{ path, size }: Move,
	to: string,
	what: string,
	words: Words,
	group: Group | undefined,
	{ journal, changed }: Tools,
): Promise<void> {
	const id = await journal.begin(what, { type: "move", path, to }, group);
	try {
		await moveSession(path, to, words.what, size);
	} catch (error) {
		await journal.discard(id).catch(() => undefined);
		throw error;
	} finally {
		changed([path, to]);
	}
	await journal.done(id, { type: "moved", path, to }).catch((cause: unknown) => {
		throw new NotNoted("not noted", { cause });
	});
}

function whyNone(failures: readonly Failure[], what: string): string {
	const [only, ...others] = failures;
	return `Cannot ${what}: ${only !== undefined && others.length === 0 ? sentence(only.error) : listFailures(failures)}`;
}

function tell(
	words: Words,
	whom: string,
	count: number,
	moved: number,
	failures: readonly Failure[],
	unnoted: unknown,
): Message {
	const isStopped = moved + failures.length < count;
	const some = `${formatCount(moved)} of ${formatCounted(count, "session")}`;
	const parts = [`${isStopped ? "Stopped: " : ""}${words.done(moved === count ? whom : some)}`];
	if (failures.length > 0) parts.push(`${formatCount(failures.length)} not: ${listFailures(failures)}`);
	if (unnoted !== undefined) parts.push(`it may not be possible to undo that, since ${sentence(unnoted)}`);
	return { text: parts.join("; "), tone: parts.length > 1 || isStopped ? "warning" : "text" };
}

function requireFree({ row, uses }: Shown, report: LiveReport, now: number): void {
	const [evidence] = evidenceOf(report, row);
	if (evidence !== undefined) throw new Error(`it is in use. ${describeUse(evidence, now)} ${howToFree(evidence)}`);
	const present = usesOf(report, row, "resume");
	const [use] = present;
	if (use !== undefined && hasNewUse(uses, present)) throw new Error(`it may be in use. ${describeUse(use, now)}`);
}

function lookNowAndThen({ look }: Tools): (path: string) => Promise<LiveReport> {
	let last: { readonly at: number; readonly report: LiveReport } | undefined;
	return async (path) => {
		if (last === undefined || performance.now() - last.at > LOOKED_MS)
			last = { report: await look(path), at: performance.now() };
		return last.report;
	};
}
