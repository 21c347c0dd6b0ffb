import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import { isPinnedOrTagged, type Marks } from "../../../catalog/model/marks.ts";
import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { formatCount, formatSize } from "../../../ui/text/format.ts";
import type { State } from "../state/state.ts";

/** Larger sessions are not tiny even without answers: they may hold a prompt with a pasted file, or data of an extension. */
export const MOST_TINY_BYTES = 100_000;

/** Why a session may be deleted, the strongest reason first; each session is proposed for one only. */
export const TIDY_KINDS = {
	empty: { name: "Empty", rule: `no message; ${formatSize(MOST_TINY_BYTES)} at most` },
	tiny: { name: "Tiny", rule: `at most one prompt, no answer or a failed one; ${formatSize(MOST_TINY_BYTES)} at most` },
	orphaned: { name: "Orphaned", rule: "the directory is gone" },
} as const;
export type TidyKind = keyof typeof TIDY_KINDS;

export const KEPT_REASONS = ["in-use", "wanted", "damaged", "archived", "uncounted"] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

export interface TidyFacts {
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly marks: Marks;
	/** Paths of the sessions in use. */
	readonly inUse: Pick<ReadonlySet<string>, "has">;
	/** Missing directories. */
	readonly gone: Pick<ReadonlySet<string>, "has">;
}

/** A session proposed for deletion. */
export interface TidySession {
	readonly kind: TidyKind;
	readonly row: SessionRow;
}

export interface Tidying {
	/** By kind; the largest first, then the oldest. */
	readonly sessions: readonly TidySession[];
	/** How many sessions are not proposed although there is a reason, by why they stay. */
	readonly kept: ReadonlyMap<KeptReason, number>;
}

export function findTidying(facts: TidyFacts): Tidying {
	const sessions: TidySession[] = [];
	const keptCounts = new Map<KeptReason, number>();
	for (const row of facts.rows.values()) {
		const kind = kindOf(row, facts);
		if (kind === undefined) continue;
		const reason = whyKept(row, kind, facts);
		if (reason === undefined) sessions.push({ kind, row });
		else keptCounts.set(reason, (keptCounts.get(reason) ?? 0) + 1);
	}
	const ranks = Object.keys(TIDY_KINDS);
	sessions.sort(
		(a, b) =>
			ranks.indexOf(a.kind) - ranks.indexOf(b.kind) ||
			b.row.size - a.row.size ||
			a.row.modified.getTime() - b.row.modified.getTime(),
	);
	return { sessions, kept: keptCounts };
}

function kindOf(row: SessionRow, { counts, gone }: TidyFacts): TidyKind | undefined {
	// A run is as useful as the session that started it.
	if (row.run !== undefined) return undefined;
	if (row.size <= MOST_TINY_BYTES) {
		if (row.messageCount === 0) return "empty";
		const counted = counts.get(row.path);
		if (counted !== undefined && isTiny(row, counted)) return "tiny";
	}
	return row.cwd !== "" && gone.has(row.cwd) ? "orphaned" : undefined;
}

/** Whether a session has at most one prompt, and no answer or a failed one. Some versions of pi add a system message. */
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
	if (isPinnedOrTagged(row, facts.marks) || row.name !== undefined) return "wanted";
	if (kind === "empty") return undefined;
	const counted = facts.counts.get(row.path);
	if (counted === undefined) return "uncounted";
	return counted.labels > 0 ? "wanted" : undefined;
}

/** The sessions that may be deleted because they are empty; sessions of missing directories may belong elsewhere. */
export function selectTidying({ catalog, marks }: State): Tidying {
	return emptyIn(catalog.here, catalog.counts, marks, pathsInUse(catalog.live));
}

const emptyIn = memoLast(
	(rows: TidyFacts["rows"], counts: TidyFacts["counts"], marks: Marks, inUse: ReadonlySet<string>): Tidying =>
		findTidying({ rows, counts, marks, inUse, gone: new Set() }),
);

/** The same object as long as the same sessions are in use. */
function pathsInUse({ sessions }: LiveReport): ReadonlySet<string> {
	return setOf([...sessions.keys()].toSorted().join("\n"));
}

const setOf = memoLast((paths: string): ReadonlySet<string> => new Set(paths.split("\n")));

export function keptWords(reason: KeptReason, count: number): string {
	const [is, has] = count === 1 ? ["is", "has"] : ["are", "have"];
	const rest: Readonly<Record<KeptReason, string>> = {
		"in-use": `${is} in use`,
		wanted: `${is} pinned or tagged, or ${has} a name or a label`,
		damaged: `${is} damaged: repair comes first`,
		archived: `${is} in the archive`,
		uncounted: `${has} not been counted yet, so a label may be in ${count === 1 ? "it" : "them"}`,
	};
	return `${formatCount(count)} more ${rest[reason]}`;
}
