import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { isArchived, otherPlace } from "../../catalog/model/archive.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { type MovePurpose, moveSession } from "../../store/actions/move-session.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { LongWork } from "../core/effects/long-work.ts";
import { guardAgain } from "../guard/guard.ts";
import { whyNot } from "../guard/guard-words.ts";
import type { Journal } from "../journal/journal.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Effect } from "../world/effect.ts";
import { CannotError } from "../world/effects/reason.ts";
import type { Shown } from "../world/outcome.ts";
import type { Message } from "../world/state.ts";
import { eachSession, tellOutcome } from "./each-session.ts";
import { gatherChanges } from "./gather-changes.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import { type LookAtUse, lookSometimes } from "./look-sometimes.ts";
import { tellNoted, withNote } from "./with-note.ts";

interface Tools {
	readonly journal: Journal;
	readonly sessionRoots: SessionRoots;
	readonly work: LongWork;
	readonly titleOf: (path: string) => string | undefined;
	/** The session as the list has it. */
	readonly rowOf: (path: string) => SessionRow | undefined;
	readonly look: LookAtUse;
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
	readonly what: MovePurpose;
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

/** Puts sessions away that are as they were shown, and that nothing shows to be in use. */
export function archiveSessions({ sessions }: Extract<Effect, { type: "archive" }>, tools: Tools): Promise<Moved> {
	const requireFree = guardedBy(sessions, tools);
	const moves = sessions.map((shown) => ({
		path: shown.row.path,
		size: shown.row.size,
		check: () => requireFree(shown),
	}));
	return moveAll(moves, ARCHIVE, tools);
}

/** Puts sessions back where they were; never over a file. */
export function bringBack({ paths }: Extract<Effect, { type: "bring-back" }>, tools: Tools): Promise<Moved> {
	const listed = paths.flatMap((path) => tools.rowOf(path) ?? []).map((row) => ({ row, uses: [] }));
	const requireFree = guardedBy(listed, tools);
	const moves = paths.map((path) => ({
		path,
		check: async () => {
			if (!isArchived(path, tools.sessionRoots)) throw new Error("it is not in the archive");
			const shown = listed.find(({ row }) => row.path === path);
			if (shown !== undefined) await requireFree(shown);
		},
	}));
	return moveAll(moves, BRING_BACK, tools);
}

/** What fails stays where it is, and does not keep the others from being moved. Rejects when all of it fails. */
async function moveAll(moves: readonly Move[], words: Words, tools: Tools): Promise<Moved> {
	const nameOf = ({ path }: Move): string => quote(tools.titleOf(path) ?? basename(path));
	const [first] = moves;
	const count = moves.length;
	const whom = first !== undefined && count === 1 ? nameOf(first) : formatCounted(count, "session");
	const group: Group | undefined = count > 1 ? { id: randomUUID(), what: words.now(whom), count } : undefined;
	let unnoted: unknown;
	const { changed, flush } = gatherChanges(tools);
	const one = async (move: Move): Promise<string> => {
		const to = otherPlace(move.path, tools.sessionRoots);
		await move.check();
		const what = words.now(nameOf(move));
		const noted = await moveNoted(move, to, { what, group, purpose: words.what }, { ...tools, changed });
		unnoted ??= noted.unnoted;
		return to;
	};
	const outcome = await eachSession(moves, words.doing, { nameOf, one }, tools.work).finally(flush);
	const { done: paths, failures } = outcome;
	if (paths.length === 0 && failures.length > 0) throw whyNone(failures, words.now(whom));
	if (count === 1 && paths.length === 1) return { message: tellNoted(words.done(whom), unnoted), paths };
	const some = `${formatCount(paths.length)} of ${formatCounted(count, "session")}`;
	const done = words.done(paths.length === count ? whom : some);
	return { message: tellOutcome(outcome, { changed: paths.length, done, left: "are as they were", unnoted }), paths };
}

/** Moves a session with a note in the journal. Rejects with what could not be done, and why. */
export function moveNoted(
	{ path, size }: Pick<Move, "path" | "size">,
	to: string,
	{ what, group, purpose }: { readonly what: string; readonly group: Group | undefined; readonly purpose: MovePurpose },
	{ journal, changed }: Pick<Tools, "journal" | "changed">,
): Promise<{ readonly unnoted: unknown }> {
	return withNote(journal, { what, plan: { type: "move", path, to }, group }, async () => {
		try {
			await moveSession(path, to, purpose, size);
		} finally {
			changed([path, to]);
		}
		return { undo: { type: "moved", path, to } };
	});
}

function whyNone(failures: readonly Failure[], what: string): Error {
	const [only, ...others] = failures;
	return new CannotError(what, only !== undefined && others.length === 0 ? only.error : listFailures(failures));
}

/** Looks at what is in use before each of these is moved; rejects with what was seen where one must stay. */
function guardedBy(sessions: readonly Shown[], tools: Tools): (shown: Shown) => Promise<void> {
	const look = lookSometimes(
		tools.look,
		sessions.map(({ row }) => row.path),
	);
	return async (shown) => {
		const refused = whyNot(guardAgain("take", await look(), shown), tools.clock());
		if (refused !== undefined) throw new Error(refused);
	};
}
