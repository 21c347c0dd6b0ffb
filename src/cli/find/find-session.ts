import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { knownIds } from "../../catalog/index/session-table.ts";
import { isSessionPath, runPlaceOf } from "../../catalog/model/run-place.ts";
import { findSessionRoots, isArchived, rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import type { ScanStamp } from "../../catalog/scan/scan-stamp.ts";
import { findSessionFiles } from "../../catalog/scan/session-files.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { attempt } from "../../shared/attempt.ts";
import { runToEnd } from "../../shared/steps.ts";
import { originalOf } from "../../store/files/conflict-copy.ts";
import { resolvePath } from "../../store/files/paths.ts";
import { explain } from "../../store/files/store-error.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { formatCount, formatDayTime } from "../../ui/text/format.ts";
import type { CleanText } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { candidateLines, isMistake, Mistake } from "../print/output.ts";
import { shortIds } from "../print/table.ts";

export interface FoundSession {
	/** Its path, as the list has it. */
	readonly path: string;
	/** The directory to list instead of the person's own, because the session is not in that. */
	readonly sessionDir?: string;
}

export interface FindOptions {
	/** Whether an id may name an archived session; a path always may. @default false */
	readonly archived?: boolean;
	/** The known files that may be in no directory that is searched (`knownFiles`). @default none */
	readonly elsewhere?: ReadonlyMap<string, ScanStamp>;
	/** The ids of all sessions. Passed when several words are looked up, because getting them reads all files. @default `sessionIds` */
	readonly ids?: () => readonly SessionId[];
}

/**
 * Finds the session that a word of the command line names: like pi's `--session`, a path if it contains a slash or ends in
 * `.jsonl`, else an id or the beginning of one. Throws a `Mistake`.
 */
export function findSession(
	word: string,
	sessionRoots: SessionRoots,
	cwd: string,
	options: FindOptions = {},
): FoundSession {
	return isPath(word) ? findFile(resolvePath(word, cwd), sessionRoots, options) : findId(word, sessionRoots, options);
}

/** Whether a word, with or without an entry behind it, is a path and not an id. */
export function isPath(word: string): boolean {
	return /[/\\]|\.jsonl(?:$|#)/.test(word);
}

function findFile(path: string, sessionRoots: SessionRoots, { elsewhere }: FindOptions): FoundSession {
	try {
		if (!statSync(path).isFile()) throw new Mistake(`${path} is not a file`);
		if (!path.endsWith(".jsonl")) throw new Mistake(`${path} is not a session file: its name does not end in .jsonl`);
		const real = realpathSync.native(dirname(path));
		const file = join(real, basename(path));
		for (const listed of listedDirectories(sessionRoots)) {
			const directory = attempt(() => realpathSync.native(listed));
			if (directory === real) return { path: join(listed, basename(path)) };
			// The session of a run is deeper.
			const run = directory && file.startsWith(directory + sep) ? join(listed, relative(directory, file)) : undefined;
			if (run !== undefined && runPlaceOf(run, sessionRoots) !== undefined) return { path: run };
		}
		for (const one of [path, file]) if (elsewhere?.has(one) || isSessionPath(one, sessionRoots)) return { path: one };
		// pi, too, lists the directory of such a file.
		return { path, sessionDir: dirname(path) };
	} catch (error) {
		throw isMistake(error) ? error : new Mistake(`cannot open ${path}: ${explain(error)}`);
	}
}

function listedDirectories(sessionRoots: SessionRoots): string[] {
	if (sessionRoots.kind === "custom") return [sessionRoots.dir];
	const { root, projectDirs = [] } = sessionRoots;
	// pi creates it with the first session.
	return [...(attempt(() => readdirSync(root)) ?? []).map((name) => join(root, name)), ...projectDirs];
}

/** A session's file, and the id in its header. */
export interface SessionId {
	readonly path: string;
	readonly id: string;
}

/** The ids of all sessions, archived ones included, newest first. `elsewhere`: see `FindOptions`. */
export function sessionIds(sessionRoots: SessionRoots, elsewhere?: FindOptions["elsewhere"]): readonly SessionId[] {
	const { files } = runToEnd(findSessionFiles(sessionRoots, elsewhere));
	return files.flatMap(({ path }) => {
		const id = readHeader(path)?.id;
		return id === undefined ? [] : [{ path, id }];
	});
}

/** Shortens ids for a terminal to what is unique among all sessions, runs and archived ones included, and those that are printed. */
export async function idShortener(
	printedIds: Iterable<string>,
	{ sessionDir }: Arguments,
): Promise<(id: string) => CleanText> {
	const roots = await findSessionRoots({ sessionDir });
	const ids = (await knownIds(roots)) ?? sessionIds(roots).map(({ id }) => id);
	return shortIds([...printedIds, ...ids]);
}

function findId(
	word: string,
	sessionRoots: SessionRoots,
	{ archived = false, elsewhere, ids = () => sessionIds(sessionRoots, elsewhere) }: FindOptions,
): FoundSession {
	const all = ids().filter(({ id }) => id.startsWith(word));
	const listed = all.filter(({ path }) => !isArchived(path, sessionRoots));
	const sessions = listed.filter(({ path }) => runPlaceOf(path, sessionRoots) === undefined);
	// The ids of runs begin with the same time as the id of their parent; if both match, the parent is meant.
	const candidates =
		archived && listed.length === 0
			? all
			: sessions.length > 0 && !listed.some(({ id }) => id === word)
				? sessions
				: listed;
	const [archivedOne] = all;
	if (candidates.length === 0 && archivedOne !== undefined)
		throw new Mistake(
			`the session ${archivedOne.id} is archived; bring it back in the browser (scope "archived"): ${archivedOne.path}`,
		);
	const exact = candidates.filter(({ id }) => id === word);
	const matches = withoutCopies(exact.length > 0 ? exact : candidates);
	const [first, ...others] = matches;
	if (first === undefined)
		throw new Mistake(
			`no session in ${rootOf(sessionRoots)} has an id that begins with ${word}; pi-grove list shows all`,
		);
	if (others.length === 0) return { path: first.path };
	const [what, how] =
		exact.length > 0 ? ["have the id", "its path"] : ["have an id that begins with", "more of its id, or its path"];
	throw new Mistake(`${formatCount(matches.length)} sessions ${what} ${word}; name one by ${how}:`, () =>
		candidatesOf(matches, exact.length > 0),
	);
}

/** The sessions without conflict copies of others: a path names one. */
function withoutCopies(all: readonly SessionId[]): readonly SessionId[] {
	const ids = new Map(all.map(({ path, id }) => [path, id]));
	return all.filter(({ path, id }) => originalOf(path, (original) => ids.get(original) === id) === undefined);
}

/** Cells of a title among the candidates. */
const TITLE_CELLS = 50;

/** The newest: "01a1ff89-…  Thu 5:28  Refactor the parser"; if all have the same id, with paths instead of ids. */
function candidatesOf(matches: readonly SessionId[], sameId: boolean): string[] {
	return candidateLines(matches, ({ path, id }) => {
		const { row } = scanFile(path);
		const title = cutText(sessionTitle(row), TITLE_CELLS);
		return [sameId ? path : id, formatDayTime(row.modified.getTime(), Date.now()), title].join("  ");
	});
}
