import { readdirSync, realpathSync, statSync } from "node:fs";
import { isSessionPath, runPlaceOf } from "../../catalog/model/run-place.ts";
import { isArchived, rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import type { SessionId } from "../../catalog/snapshot.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { attempt } from "../../shared/attempt.ts";
import { basename, dirname, join, relative, resolvePath, sep } from "../../shared/paths.ts";
import { originalOf } from "../../store/files/conflict-copy.ts";
import { explain } from "../../store/files/store-error.ts";
import { formatCount, formatDayTime } from "../../ui/text/format.ts";
import type { CleanText } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { candidateLines, isMistake, Mistake } from "../print/output.ts";
import { shortIds } from "../print/table.ts";
import { type NamedSession, Sessions } from "./sessions.ts";

/**
 * Finds the session that a word of the command line names: like pi's `--session`, a path if it contains a slash or ends in
 * `.jsonl`, else an id or the beginning of one, with `archived` also of an archived session. Rejects with a `Mistake`.
 */
export async function findSession(word: string, sessions: Sessions, archived = false): Promise<NamedSession> {
	const roots = await sessions.roots();
	if (!isPath(word)) return findId(word, await sessions.ids(), roots, archived);
	const session = findFile(resolvePath(word, sessions.cwd), roots);
	if (session.sessionDir === undefined) return session;
	for (const path of new Set([session.path, realPathOf(session.path)]))
		if (await sessions.isKnown(path)) return { path };
	return session;
}

/** Whether a word, with or without an entry behind it, is a path and not an id. */
export function isPath(word: string): boolean {
	return /[/\\]|\.jsonl(?:$|#)/.test(word);
}

/** Finds a session file, absolute, as the list has it. Throws a `Mistake`. */
export function findFile(path: string, sessionRoots: SessionRoots): NamedSession {
	try {
		if (!statSync(path).isFile()) throw new Mistake(`${path} is not a file`);
		if (!path.endsWith(".jsonl")) throw new Mistake(`${path} is not a session file: its name does not end in .jsonl`);
		const file = realPathOf(path);
		const real = dirname(file);
		for (const listed of listedDirectories(sessionRoots)) {
			const directory = attempt(() => realpathSync.native(listed));
			if (directory === real) return { path: join(listed, basename(path)) };
			// The session of a run is deeper.
			const run = directory && file.startsWith(directory + sep) ? join(listed, relative(directory, file)) : undefined;
			if (run !== undefined && runPlaceOf(run, sessionRoots) !== undefined) return { path: run };
		}
		for (const one of [path, file]) if (isSessionPath(one, sessionRoots)) return { path: one };
		// pi, too, lists the directory of such a file.
		return { path, sessionDir: dirname(path) };
	} catch (error) {
		throw isMistake(error) ? error : new Mistake(`cannot open ${path}: ${explain(error)}`);
	}
}

/** The path of a file in the real path of its directory; the file itself may be a link. */
function realPathOf(path: string): string {
	return join(realpathSync.native(dirname(path)), basename(path));
}

function listedDirectories(sessionRoots: SessionRoots): string[] {
	if (sessionRoots.kind === "custom") return [sessionRoots.dir];
	const { root, projectDirs = [] } = sessionRoots;
	// pi creates it with the first session.
	return [...(attempt(() => readdirSync(root)) ?? []).map((name) => join(root, name)), ...projectDirs];
}

/** Shortens ids for a terminal to what is unique among all sessions, runs and archived ones included, and those that are printed. */
export async function idShortener(printedIds: Iterable<string>, args: Arguments): Promise<(id: string) => CleanText> {
	const ids = await Sessions.of(args).ids();
	return shortIds([...printedIds, ...ids.map(({ id }) => id)]);
}

function findId(word: string, ids: readonly SessionId[], sessionRoots: SessionRoots, archived: boolean): NamedSession {
	const all = ids.filter(({ id }) => id.startsWith(word));
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

const TITLE_CELLS = 50;

/** The newest: "01a1ff89-…  Thu 5:28  Refactor the parser"; if all have the same id, with paths instead of ids. */
function candidatesOf(matches: readonly SessionId[], sameId: boolean): string[] {
	return candidateLines(matches, ({ path, id }) => {
		const { row } = scanFile(path);
		const title = cutText(sessionTitle(row), TITLE_CELLS);
		return [sameId ? path : id, formatDayTime(row.modified.getTime(), Date.now()), title].join("  ");
	});
}
