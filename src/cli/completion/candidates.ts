import { homedir } from "node:os";
import { knownAgents } from "../../catalog/families/run-agents.ts";
import { countsWithRuns } from "../../catalog/index/counted-runs.ts";
import { readIndex } from "../../catalog/index/open-index.ts";
import { rowsSince } from "../../catalog/index/session-table.ts";
import { runPlaceOf } from "../../catalog/model/run-place.ts";
import { defaultCacheDir, findSessionRoots, isArchived, rootOf } from "../../catalog/model/session-roots.ts";
import { mayBeRun } from "../../catalog/sync/named-runs.ts";
import { entryKind } from "../../conversation/entries/entry-kind.ts";
import { placeOf } from "../../conversation/entries/place.ts";
import { describeRow } from "../../conversation/entries/row.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { readHeld } from "../../store/held/hold-session.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCount } from "../../ui/text/format.ts";
import { findTarget } from "../find/find-target.ts";
import { Sessions } from "../find/sessions.ts";
import type { Pair } from "../help/help-topics.ts";
import { type CompletionRequest, isSafe } from "./complete-line.ts";

/** The sessions whose ids begin with what is typed, newest first; behind a "#" the entries of a session. */
export async function sessionCandidates({
	typed,
	sessionDir,
}: Pick<CompletionRequest, "typed" | "sessionDir">): Promise<readonly Pair[]> {
	return typed.includes("#") ? entries(typed, sessionDir) : idsLike(typed, Sessions.of({ sessionDir }));
}

async function idsLike(typed: string, sessions: Sessions): Promise<readonly Pair[]> {
	const roots = await sessions.roots();
	// The index may have a row of a session that has grown since.
	const stored = await readIndex(defaultCacheDir(), (db) => rowsSince(db, rootOf(roots), -1));
	const rows = new Map(stored?.map((row) => [row.path, row]));
	const meanings = new Map<string, string>();
	const runs = new Map<string, string>();
	for (const { path, id } of await sessions.ids()) {
		if (isArchived(path, roots) || !id.startsWith(typed)) continue;
		const row = rows.get(path);
		// Runs come last: there may be many of them.
		const isRun = runPlaceOf(path, roots) !== undefined || (row !== undefined && mayBeRun(row));
		const kind = isRun ? runs : meanings;
		if (!kind.has(id))
			kind.set(id, row === undefined ? "" : `${row.modified.toISOString().slice(0, 10)} ${sessionTitle(row)}`);
	}
	return [...meanings, ...[...runs].filter(([id]) => !meanings.has(id))];
}

/** The agents whose runs the index knows, for `agent:`, the one with most of them first. */
export async function agentCandidates(sessionDir: string | undefined): Promise<readonly string[]> {
	const root = rootOf(await findSessionRoots({ sessionDir }));
	const agents = await readIndex(defaultCacheDir(), (db) => {
		const reports = countsWithRuns(db, root).map(([, { runs = [] }]) => runs);
		return knownAgents(rowsSince(db, root, -1), reports);
	});
	return agents ?? [];
}

async function entries(typed: string, sessionDir: string | undefined): Promise<readonly Pair[]> {
	const at = typed.lastIndexOf("#");
	const [address, start] = [typed.slice(0, at + 1), typed.slice(at + 1)];
	const target = await findTarget(typed.slice(0, at), { words: [], sessionDir }).catch(() => undefined);
	if (target === undefined) return [];
	const session = await readHeld(target.path);
	const candidates = entryCandidates(session, start, { home: homedir(), mayPropose: isSafe });
	return candidates.map(([id, meaning]) => [`${address}${id}`, meaning]);
}

/**
 * The most entries that are proposed. Shells ask before they list more than a hundred, and copy all candidates: with a million
 * of them they hang, and nobody looks through more than the last few screens.
 */
const MOST = 1000;

/**
 * The entries whose ids begin with `start` and may be proposed, each with its text, last ones first; only prompts if `start` is
 * empty. With more than `MOST`, the last pair is the common beginning of all ids, and says that there are more: a shell
 * completes a word as far as its candidates agree, and the last entries alone may agree further than all do, which would
 * hide the others.
 */
export function entryCandidates(
	session: Session,
	start: string,
	{ home, mayPropose }: { readonly home: string; readonly mayPropose: (id: string) => boolean },
): readonly Pair[] {
	const place = placeOf(session, home);
	const { entries } = session;
	const pairs: Pair[] = [];
	let common: string | undefined;
	let more = 0;
	for (let index = entries.length - 1; index >= 0; index--) {
		const entry = entries[index];
		if (entry === undefined || !entry.id.startsWith(start) || !mayPropose(entry.id)) continue;
		if (start === "" && entryKind(entry) !== "prompt") continue;
		common = common === undefined ? entry.id : commonStart(common, entry.id);
		if (pairs.length < MOST) {
			const { verb, text } = describeRow(entry, session, place);
			pairs.push([entry.id, `${verb?.text ?? ""} ${text}`]);
		} else more++;
	}
	return more === 0 ? pairs : [...pairs, [common ?? start, `and ${formatCount(more)} more: type more of an id`]];
}

/** The common beginning of two ids, in whole characters. */
function commonStart(one: string, other: string): string {
	if (other.startsWith(one)) return one;
	let common = "";
	for (const character of one) {
		if (!other.startsWith(common + character)) break;
		common += character;
	}
	return common;
}
