import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import type { Marks } from "../../../changes/noted/marks.ts";
import { pick } from "../../../shared/pick.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { orderBy } from "../../world/list/sorted-by.ts";

/** Why a session may be deleted, the strongest reason first: each stands once. */
export const TIDY_KINDS = ["duplicate", "empty", "tiny", "orphaned", "old"] as const;
export type TidyKind = (typeof TIDY_KINDS)[number];

/** Why a session is not proposed, although it is one of these. */
export const KEPT_REASONS = ["in-use", "wanted", "damaged", "archived", "uncounted"] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** What the groups are found from. */
export interface TidyFacts {
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly marks: Marks;
	/** Has the paths of the sessions in use. */
	readonly inUse: Pick<ReadonlySet<string>, "has">;
	/** Sessions with nothing of their own, each with the one that holds all of it. */
	readonly duplicates: ReadonlyMap<string, string>;
	/** Directories that are not there any more. */
	readonly gone: Pick<ReadonlySet<string>, "has">;
	/** What was last said before that (Unix ms) is old. */
	readonly oldBefore: number;
}

/** A session that is proposed. */
export interface TidySession {
	readonly kind: TidyKind;
	readonly row: SessionRow;
	/** Of a duplicate, the session that holds all of it. */
	readonly within?: SessionRow | undefined;
}

export interface TidyGroup {
	readonly kind: TidyKind;
	/** The largest first, then the oldest. */
	readonly sessions: readonly TidySession[];
	/** What deleting all of them would free. */
	readonly bytes: number;
}

/** What a review has found. */
export interface Tidying {
	/** The groups that have sessions. */
	readonly groups: readonly TidyGroup[];
	/** How many sessions would be in one, and are not proposed. */
	readonly kept: ReadonlyMap<KeptReason, number>;
}

/** What says nothing may still hold much: a prompt with a pasted file, or what an extension keeps. */
export const MOST_TINY_BYTES = 100_000;

/** Finds what may be deleted, of these kinds. */
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
 * At most one prompt, and no answer, or one that failed before it said anything. A message of the system is in every session of
 * some versions of pi.
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
	// The name and the labels of a duplicate stand in the other session, too.
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
