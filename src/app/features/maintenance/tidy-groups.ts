import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import type { Marks } from "../../../changes/noted/marks.ts";
import { pick } from "../../../shared/columns.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { orderBy } from "../../world/list/sorted-by.ts";

/** Why a session may be deleted, the strongest reason first. Each session is in one group only. */
export const TIDY_KINDS = ["duplicate", "empty", "tiny", "orphaned", "old"] as const;
export type TidyKind = (typeof TIDY_KINDS)[number];

/** Why a session is not proposed although it belongs to a group. */
export const KEPT_REASONS = ["in-use", "wanted", "damaged", "archived", "uncounted"] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** What the groups are derived from. */
export interface TidyFacts {
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly marks: Marks;
	/** Paths of the sessions in use. */
	readonly inUse: Pick<ReadonlySet<string>, "has">;
	/** Paths of sessions contained in another one, each with the path of that one. */
	readonly duplicates: ReadonlyMap<string, string>;
	/** Missing directories. */
	readonly gone: Pick<ReadonlySet<string>, "has">;
	/** Sessions whose last message is older than this time (Unix ms) are old. */
	readonly oldBefore: number;
}

/** A session proposed for deletion. */
export interface TidySession {
	readonly kind: TidyKind;
	readonly row: SessionRow;
	/** For a duplicate, the session that contains it. */
	readonly within?: SessionRow | undefined;
}

export interface TidyGroup {
	readonly kind: TidyKind;
	/** The largest first, then the oldest. */
	readonly sessions: readonly TidySession[];
	/** Total size of their files. */
	readonly bytes: number;
}

/** The sessions proposed for deletion. */
export interface Tidying {
	/** Without empty groups. */
	readonly groups: readonly TidyGroup[];
	/** How many sessions belong to a group but are not proposed, by reason. */
	readonly kept: ReadonlyMap<KeptReason, number>;
}

/** Larger sessions are not tiny even without answers: they may hold a prompt with a pasted file, or data of an extension. */
export const MOST_TINY_BYTES = 100_000;

/** Finds the sessions of these kinds that may be deleted. */
export function findTidying(facts: TidyFacts, kinds: readonly TidyKind[] = TIDY_KINDS): Tidying {
	const found = new Map<TidyKind, TidySession[]>(TIDY_KINDS.map((kind) => [kind, []]));
	const kept = new Map<KeptReason, number>();
	for (const row of facts.rows.values()) {
		const kind = kindOf(row, facts);
		if (kind === undefined || !kinds.includes(kind)) continue;
		const reason = whyKept(row, kind, facts);
		if (reason !== undefined) kept.set(reason, (kept.get(reason) ?? 0) + 1);
		else found.get(kind)?.push({ kind, row, within: facts.rows.get(facts.duplicates.get(row.path) ?? "") });
	}
	const groups = [...found].flatMap(([kind, sessions]) => {
		if (sessions.length === 0) return [];
		const byAge = sortedBy(sessions, ({ row }) => row.modified.getTime());
		const sorted = sortedBy(byAge, ({ row }) => 0 - row.size);
		return [{ kind, sessions: sorted, bytes: sessions.reduce((sum, { row }) => sum + row.size, 0) }];
	});
	return { groups, kept };
}

function sortedBy(sessions: readonly TidySession[], keyOf: (session: TidySession) => number): readonly TidySession[] {
	return pick(sessions, orderBy(sessions.map(keyOf)));
}

function kindOf(row: SessionRow, { counts, duplicates, gone, oldBefore }: TidyFacts): TidyKind | undefined {
	if (duplicates.has(row.path)) return "duplicate";
	if (row.size <= MOST_TINY_BYTES) {
		if (row.messageCount === 0) return "empty";
		const counted = counts.get(row.path);
		if (counted !== undefined && isTiny(row, counted)) return "tiny";
	}
	if (row.cwd !== "" && gone.has(row.cwd)) return "orphaned";
	return row.modified.getTime() < oldBefore ? "old" : undefined;
}

/**
 * Whether a session has at most one prompt, and no answer or one that failed before it had any text. One more message is allowed
 * for: some versions of pi write a system message into every session.
 */
function isTiny({ messageCount }: SessionRow, { turns, model, ending, endedMs, tokens }: SessionCounts): boolean {
	if (turns > 1) return false;
	if (ending === "failed") return tokens === 0 && messageCount <= turns + 2;
	if (model !== "" || messageCount > turns + 1) return false;
	return turns === 0 ? endedMs === 0 : ending === "unanswered";
}

function whyKept(row: SessionRow, kind: TidyKind, facts: TidyFacts): KeptReason | undefined {
	if (facts.inUse.has(row.path)) return "in-use";
	if (!isSession(row) || isDamaged(row.diagnostics)) return "damaged";
	if (row.archived === true) return "archived";
	if (isMarked(row, facts.marks)) return "wanted";
	// The session that contains a duplicate has its name and labels as well.
	if (kind === "duplicate") return undefined;
	if (row.name !== undefined) return "wanted";
	if (kind === "empty") return undefined;
	const counted = facts.counts.get(row.path);
	if (counted === undefined) return "uncounted";
	return counted.labels > 0 ? "wanted" : undefined;
}

/** Whether the person has pinned or tagged it. */
export function isMarked({ id }: SessionRow, { pinned, tags }: Marks): boolean {
	return pinned.has(id) || tags.has(id);
}
