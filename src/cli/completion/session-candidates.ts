import { homedir } from "node:os";
import { openExistingIndex } from "../../catalog/index/open-index.ts";
import { rowsSince } from "../../catalog/index/session-table.ts";
import { isArchived } from "../../catalog/model/archive.ts";
import { defaultCacheDir } from "../../catalog/model/cache-dir.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { findSessionRoots, rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { findSessionFiles } from "../../catalog/scan/session-files.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { runToEnd } from "../../shared/steps.ts";
import { readHeld } from "../../store/held/read-checked.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { findTarget } from "../find/find-target.ts";
import { keepHeapSmallFor } from "../find/heap-flags.ts";
import type { Pair } from "../help/help-layout.ts";
import { type CompletionRequest, isSafe } from "./complete-line.ts";
import { entryCandidates } from "./entry-candidates.ts";

/** The sessions whose ids begin with what is typed, newest first; behind a "#" the entries of a session. */
export async function sessionCandidates({
	typed,
	sessionDir,
}: Pick<CompletionRequest, "typed" | "sessionDir">): Promise<readonly Pair[]> {
	return typed.includes("#")
		? entries(typed, sessionDir)
		: sessions(typed, await findSessionRoots({ sessionDirFlag: sessionDir }));
}

async function sessions(typed: string, roots: SessionRoots): Promise<readonly Pair[]> {
	const rows = await indexedRows(roots);
	const found = new Map<string, string>();
	for (const { path } of runToEnd(findSessionFiles(roots)).files) {
		if (isArchived(path, roots)) continue;
		const row = rows.get(path);
		const id = row?.id ?? readHeader(path)?.id ?? "";
		if (id !== "" && id.startsWith(typed) && !found.has(id)) found.set(id, row === undefined ? "" : describe(row));
	}
	return [...found];
}

/** The rows in the index, by path; of other sessions only the header is read. */
async function indexedRows(roots: SessionRoots): Promise<ReadonlyMap<string, SessionRow>> {
	const db = await openExistingIndex(defaultCacheDir(process.env, homedir()));
	if (db === undefined) return new Map();
	try {
		return new Map(rowsSince(db, rootOf(roots), -1).map((row) => [row.path, row]));
	} finally {
		db.close();
	}
}

function describe(row: SessionRow): string {
	const day = row.modified.toISOString().slice(0, 10);
	return `${day} ${sessionTitle(row)}`;
}

async function entries(typed: string, sessionDir: string | undefined): Promise<readonly Pair[]> {
	const at = typed.lastIndexOf("#");
	const [before, start] = [typed.slice(0, at + 1), typed.slice(at + 1)];
	const target = await findTarget(typed.slice(0, at), { words: [], ...(sessionDir !== undefined && { sessionDir }) });
	if ("mistake" in target) return [];
	keepHeapSmallFor(target.path);
	const session = await readHeld(target.path);
	const found = entryCandidates(session, start, { home: homedir(), mayPropose: isSafe });
	return found.map(([id, meaning]) => [`${before}${id}`, meaning]);
}
