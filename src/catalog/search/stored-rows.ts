import { homedir } from "node:os";
import { runToEnd } from "../../shared/steps.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { type Branches, BranchGatherer, readBranches } from "../branches/read-branches.ts";
import { accentsOf } from "../index/accents-mark.ts";
import { openExistingIndex } from "../index/open-index.ts";
import { SessionTable } from "../index/session-table.ts";
import { isDamage, isSqliteError } from "../index/sqlite-error.ts";
import type { ListOptions } from "../list-all.ts";
import { defaultCacheDir } from "../model/cache-dir.ts";
import type { SessionRow } from "../model/row.ts";
import { rootOf, type SessionRoots } from "../model/session-roots.ts";
import { scanFile } from "../scan/scan-file.ts";
import { isUnchanged } from "../scan/scan-stamp.ts";
import type { SessionFile } from "../scan/session-files.ts";
import { abandonedSpans } from "../stats/abandoned-spans.ts";
import { labeledIds, withBranch } from "./hit-branch.ts";
import type { LineMatch } from "./match-line.ts";
import type { Hit } from "./search.ts";

/** The rows of single sessions: from the index where they are up to date, else by reading the file. */
export interface StoredRows {
	rowOf(file: SessionFile): SessionRow;
	scan(path: string): SessionRow;
	/** Whether the file may have letters with accents; undefined where that is not known. */
	accentsOf(file: SessionFile): boolean | undefined;
	/** A hit with the branch it is on. */
	withBranch(match: LineMatch, file: SessionFile): Hit;
	/** How many sessions are damaged, of all in the index and those that were read. */
	damaged(): number;
	close(): void;
}

/** Opens the index, if there is one, for reading. What is damaged in it counts as absent: the files are read instead. */
export async function openStoredRows(options: ListOptions, sessionRoots: SessionRoots): Promise<StoredRows> {
	const { cacheDir, env = process.env, home = homedir() } = options;
	const db = await openExistingIndex(cacheDir ?? defaultCacheDir(env, home));
	const root = rootOf(sessionRoots);
	const table = db && new SessionTable(db, root);
	const known = unlessDamaged(() => table?.known());
	const spansOf = unlessDamaged(() => db && abandonedSpans(db, root));
	const read = new Map<string, SessionRow>();
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	const scan = (path: string): SessionRow => {
		const row = read.get(path) ?? scanFile(path, undefined, buffer).row;
		read.set(path, row);
		return row;
	};
	const idOf = (file: SessionFile): number | undefined => {
		const stored = known?.get(file.path);
		return stored && isUnchanged(stored, file) ? stored.id : undefined;
	};
	/** When a session's row and branches are both unknown, they come from one reading. */
	const branchesOf = (file: SessionFile, ids: readonly string[]): Branches => {
		if (read.has(file.path) || idOf(file) !== undefined) return runToEnd(readBranches(file.path, ids, buffer));
		const gatherer = new BranchGatherer(ids);
		read.set(file.path, scanFile(file.path, undefined, buffer, (line) => gatherer.add(line)).row);
		return gatherer.finish();
	};
	return {
		rowOf(file) {
			const id = read.has(file.path) ? undefined : idOf(file);
			return (id === undefined ? undefined : unlessDamaged(() => table?.rowOf(id))) ?? scan(file.path);
		},
		scan,
		accentsOf(file) {
			const stored = known?.get(file.path);
			return stored && isUnchanged(stored, file) ? accentsOf(stored.accents, file) : undefined;
		},
		withBranch(match, file) {
			const ids = labeledIds([match]);
			// The offset of a labeled entry is not in the index, and what it has is of a file that is still the same.
			const isKnown = ids.length === 0 && idOf(file) !== undefined;
			const abandoned = isKnown ? unlessDamaged(() => spansOf?.(file.path, file.size)) : undefined;
			return withBranch(match, abandoned ? { abandoned, labeled: new Map() } : branchesOf(file, ids));
		},
		damaged: () => {
			const stored = unlessDamaged(() => table?.damaged().filter((path) => !read.has(path))) ?? [];
			return stored.length + [...read.values()].filter((row) => isDamaged(row.diagnostics)).length;
		},
		close: () => db?.close(),
	};
}

/** What the index says; undefined when it is damaged, which the next listing finds and mends, or held by another program. */
function unlessDamaged<Result>(ask: () => Result): Result | undefined {
	try {
		return ask();
	} catch (error) {
		if (isDamage(error) || isSqliteError(error)) return undefined;
		throw error;
	}
}
