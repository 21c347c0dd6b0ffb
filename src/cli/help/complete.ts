import { homedir } from "node:os";
import { openExistingIndex } from "../../catalog/index/open-index.ts";
import { rowsSince } from "../../catalog/index/session-table.ts";
import { isArchived } from "../../catalog/model/archive.ts";
import { defaultCacheDir } from "../../catalog/model/cache-dir.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { findSessionRoots, rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { completionsFor } from "../../catalog/query/complete.ts";
import { findSessionFiles } from "../../catalog/scan/session-files.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { runToEnd } from "../../shared/steps.ts";
import { readHeld } from "../../store/held/read-checked.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import { findTarget } from "../find/find-target.ts";
import { keepHeapSmallFor } from "../find/heap-flags.ts";
import { EXIT } from "../print/exit-code.ts";
import { printFields } from "../print/output.ts";
import { entryCandidates } from "./entry-candidates.ts";
import type { Pair } from "./help-layout.ts";

/** What a shell would read as more than a part of a word is not proposed: ids and names are what others have written. */
const SAFE = /^[\p{L}\p{N}_.:@%+,/=#-]+$/u;
/** Cells of what stands behind a candidate. */
const MEANING_CELLS = 80;

/**
 * `pi-grove __complete session|query WORD [DIR]`, for the shells: prints the candidates, one a line, each with a tab and what
 * it is. `DIR` is the value of `--session-dir`. Whatever is wrong, nothing is printed, since a person is typing a command
 * line, and nothing is written: not even the index.
 */
export async function complete([kind, word = "", dir = ""]: readonly string[]): Promise<number> {
	try {
		const found = await candidates(kind, word, dir === "" ? undefined : dir);
		await printFields(
			found.filter(([one]) => SAFE.test(one)),
			columnsOf,
		);
	} catch {
		// What is wrong is said when the command runs.
	}
	return EXIT.ok;
}

async function candidates(kind: string | undefined, word: string, sessionDir: string | undefined) {
	switch (kind) {
		case "query":
			return queries(word);
		case "session":
			if (word.includes("#")) return entries(word, sessionDir);
			return sessions(word, await findSessionRoots({ sessionDirFlag: sessionDir }));
		default:
			return [];
	}
}

function columnsOf([word, meaning]: Pair): readonly [word: CleanText, meaning: CleanText] {
	return [cleanText(word), cutText(sanitizeLine(meaning), MEANING_CELLS)];
}

/** Ids of sessions, newest first. */
async function sessions(typed: string, roots: SessionRoots): Promise<readonly Pair[]> {
	const rows = await knownRows(roots);
	const found = new Map<string, string>();
	for (const { path } of runToEnd(findSessionFiles(roots)).files) {
		if (isArchived(path, roots)) continue;
		const row = rows.get(path);
		const id = row?.id ?? readHeader(path)?.id ?? "";
		if (id !== "" && id.startsWith(typed) && !found.has(id)) found.set(id, row === undefined ? "" : titleOf(row));
	}
	return [...found];
}

/** What the index knows; what it does not is read from the files themselves. */
async function knownRows(roots: SessionRoots): Promise<ReadonlyMap<string, SessionRow>> {
	const db = await openExistingIndex(defaultCacheDir(process.env, homedir()));
	if (db === undefined) return new Map();
	try {
		return new Map(rowsSince(db, rootOf(roots), -1).map((row) => [row.path, row]));
	} finally {
		db.close();
	}
}

function titleOf(row: SessionRow): string {
	const day = row.modified.toISOString().slice(0, 10);
	return `${day} ${sessionTitle(row)}`;
}

/** Entries of a session (`entryCandidates`). */
async function entries(typed: string, sessionDir: string | undefined): Promise<readonly Pair[]> {
	const at = typed.lastIndexOf("#");
	const [before, start] = [typed.slice(0, at + 1), typed.slice(at + 1)];
	const target = await findTarget(typed.slice(0, at), { words: [], ...(sessionDir !== undefined && { sessionDir }) });
	if ("mistake" in target) return [];
	keepHeapSmallFor(target.path);
	const session = await readHeld(target.path);
	const found = entryCandidates(session, start, { home: homedir(), mayPropose: (id) => SAFE.test(id) });
	return found.map(([id, meaning]) => [`${before}${id}`, meaning]);
}

/** Fields of the query, and their values. */
function queries(typed: string): readonly Pair[] {
	const all = completionsFor(typed, typed.length, { projects: [], tags: [] });
	return all.map(({ text, start, meaning }) => [`${typed.slice(0, start)}${text}`, meaning]);
}
