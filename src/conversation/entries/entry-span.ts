import { memoLast } from "../../shared/memo.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { pathTo } from "../../store/tree/session-table.ts";
import { outlineOf } from "./outline.ts";
import { turnAt, turnStarts } from "./turns.ts";

/** The parts of a session whose changes can be shown: its active path, a branch since it left that, a turn, and all since an entry. */
export const SPANS = ["session", "branch", "turn", "since"] as const;
export type SpanName = (typeof SPANS)[number];

/** Some successive entries of a path. */
export interface EntrySpan {
	/** Id of the entry before the first one; undefined if it is the first of its path. */
	readonly from: string | undefined;
	/** Id of the last one; undefined if there is none. */
	readonly to: string | undefined;
	readonly ids: ReadonlySet<string>;
}

/** The span of this name around an entry; the same object for the same arguments. Without the entry, the path is the active one. */
export const spanAround = memoLast((session: Session, name: SpanName, entryId: string | undefined): EntrySpan => {
	const active = () => pathTo(session.tree, session.tree.leafId ?? "");
	if (name === "session" || entryId === undefined) return part(active(), 0);
	const outline = outlineOf(session);
	const path = outline.pathThrough(entryId);
	const index = outline.level(entryId);
	if (name === "since") return part(path, index + 1);
	if (name === "branch") return part(path, path.findLastIndex(({ id }) => outline.isActive(id)) + 1);
	const starts = turnStarts(path);
	const turn = turnAt(path, index);
	return part(path, starts[turn - 1] ?? 0, starts[turn]);
});

function part(path: readonly SessionEntry[], start: number, end = path.length): EntrySpan {
	const entries = path.slice(start, end);
	return { from: path[start - 1]?.id, to: entries.at(-1)?.id, ids: new Set(entries.map(({ id }) => id)) };
}
