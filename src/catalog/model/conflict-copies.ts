import { sep } from "node:path";
import type { SessionRow } from "./row.ts";

/** The other of a session and its conflict copy, and how many entries only the copy has. */
export interface ConflictCopy {
	readonly path: string;
	/** 0: the session contains all of the copy. */
	readonly own: number;
}

/** Path of a conflict copy → the session that it is a copy of. */
export type Conflicts = ReadonlyMap<string, ConflictCopy>;

/**
 * What programs that synchronize directories put into the name of a file that was changed on two machines: Syncthing
 * (`x.sync-conflict-20260105-090000-ABCDEFG.jsonl`), Dropbox and Nextcloud (`x (Ada's conflicted copy 2026-01-05).jsonl`, also in other
 * languages), Seafile (`x (SFConflict …).jsonl`), Resilio (`x.Conflict.jsonl`).
 */
const CONFLICT = /[ck]onfli[ck]?t/i;
const EXTENSION = ".jsonl";

/** Whether the name of a file may be that of a conflict copy. */
export function mayBeConflictCopy(path: string): boolean {
	return CONFLICT.test(path.slice(path.lastIndexOf(sep) + 1));
}

/**
 * The paths of which a file may be a conflict copy, by its name: the shortest first, which is none itself if there are copies of
 * copies.
 */
export function* originalsOf(path: string): Generator<string> {
	const start = path.lastIndexOf(sep) + 1;
	const stem = path.slice(0, -EXTENSION.length);
	for (let end = start + 1; end < stem.length && CONFLICT.test(stem.slice(end)); end += 1)
		yield stem.slice(0, end) + EXTENSION;
}

/** The rows, with what is known of conflict copies. */
export function withConflicts(rows: readonly SessionRow[], conflicts: Conflicts): readonly SessionRow[] {
	// Most people have none.
	if (conflicts.size === 0) return rows;
	const copies = Map.groupBy(conflicts, ([, { path }]) => path);
	return rows.map((row) => {
		const conflictOf = conflicts.get(row.path);
		if (conflictOf !== undefined) return { ...row, conflictOf };
		const own = copies.get(row.path)?.map(([path, copy]): ConflictCopy => ({ path, own: copy.own }));
		return own === undefined ? row : { ...row, conflicts: own };
	});
}

/** "2 conflict copies are beside it, with 3 entries of their own"; undefined for a session without. */
export function conflictNote({ conflicts }: Pick<SessionRow, "conflicts">): string | undefined {
	if (conflicts === undefined || conflicts.length === 0) return undefined;
	const own = conflicts.reduce((sum, one) => sum + one.own, 0);
	const [one, what] = [conflicts.length === 1, own === 1 ? "1 entry" : `${own} entries`];
	const copies = one ? "a conflict copy is" : `${conflicts.length} conflict copies are`;
	return `${copies} beside it, ${own === 0 ? "wholly contained" : `with ${what} of ${one ? "its" : "their"} own`}`;
}
