import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import { isPinnedOrTagged, type Marks } from "../../../catalog/model/marks.ts";
import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { memoLast } from "../../../shared/memo.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import type { State } from "../../world/state/state.ts";
import { chooseDuplicates, type Family, findFamilies } from "./duplicates.ts";
import { uncheckedDirectories } from "./gone-groups.ts";
import { TIDY, type TidyState } from "./maintenance-state.ts";

/** Why a session may be deleted, the strongest reason first. Each session is in one group only. */
const TIDY_KINDS = ["duplicate", "empty", "tiny", "orphaned", "old"] as const;
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
		const sorted = sessions.toSorted((a, b) => b.row.size - a.row.size || timeOf(a) - timeOf(b));
		return [{ kind, sessions: sorted, bytes: sessions.reduce((sum, { row }) => sum + row.size, 0) }];
	});
	return { groups, kept };
}

function timeOf({ row }: TidySession): number {
	return row.modified.getTime();
}

function kindOf(row: SessionRow, { counts, duplicates, gone, oldBefore }: TidyFacts): TidyKind | undefined {
	// A run is as useful as the session that asked for it.
	if (row.run !== undefined) return undefined;
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
	if (isPinnedOrTagged(row, facts.marks)) return "wanted";
	// The session that contains a duplicate has its name and labels as well.
	if (kind === "duplicate") return undefined;
	if (row.name !== undefined) return "wanted";
	if (kind === "empty") return undefined;
	const counted = facts.counts.get(row.path);
	if (counted === undefined) return "uncounted";
	return counted.labels > 0 ? "wanted" : undefined;
}

const DAY = 86_400_000;

/** The sessions that may be deleted, without those of missing directories: these may belong elsewhere. */
export function selectTidying(state: State): Tidying {
	return viewOf(...factsOf(state));
}

/** The same, with the sessions of missing directories. */
export function selectAllTidying(state: State): Tidying {
	return allOf(...factsOf(state));
}

function factsOf(state: State): Facts {
	const { catalog, marks, now } = state;
	const tidy = TIDY.of(state);
	const inUse = pathsInUse(catalog.live);
	const oldBefore = startOfDay(now) - tidy.oldDays * DAY;
	const families = familiesIn(catalog.here, inUse);
	const duplicates = duplicatesIn(catalog.here, families, tidy.compared, tidy.fates, marks, inUse);
	return [catalog.here, catalog.counts, marks, inUse, duplicates, tidy.fates, oldBefore];
}

/** The families in which one session may be contained in another. */
export function selectFamilies({ catalog }: State): readonly Family[] {
	return familiesIn(catalog.here, pathsInUse(catalog.live));
}

/** The families that have not been read yet. */
export function familiesToCompare(state: State): readonly Family[] {
	return unread(selectFamilies(state), TIDY.of(state).compared);
}

const unread = memoLast((families: readonly Family[], compared: TidyState["compared"]) =>
	families.filter(({ key }) => !compared.has(key)),
);

/** Whether directories are still to be checked. */
export function isLooking(state: State): boolean {
	return uncheckedDirectories(state).length > 0;
}

const familiesIn = memoLast((rows: ReadonlyMap<string, SessionRow>, inUse: ReadonlySet<string>) =>
	findFamilies(rows, inUse),
);

const duplicatesIn = memoLast(
	(
		rows: ReadonlyMap<string, SessionRow>,
		families: readonly Family[],
		compared: TidyState["compared"],
		fates: TidyState["fates"],
		marks: State["marks"],
		inUse: ReadonlySet<string>,
	) =>
		chooseDuplicates(
			families.flatMap(({ key }) => compared.get(key) ?? []),
			{
				rows,
				isGone: ({ cwd }) => fates.get(cwd)?.kind === "gone",
				isWanted: (row) => isPinnedOrTagged(row, marks) || inUse.has(row.path),
			},
		),
);

type Facts = readonly [
	rows: State["catalog"]["rows"],
	counts: State["catalog"]["counts"],
	marks: State["marks"],
	inUse: ReadonlySet<string>,
	duplicates: ReadonlyMap<string, string>,
	fates: TidyState["fates"],
	oldBefore: number,
];

function tidyingOf(kinds: readonly TidyKind[]): (...facts: Facts) => Tidying {
	return memoLast((...[rows, counts, marks, inUse, duplicates, fates, oldBefore]: Facts) =>
		findTidying({ rows, counts, marks, inUse, duplicates, gone: goneIn(fates), oldBefore }, kinds),
	);
}

const allOf = tidyingOf(TIDY_KINDS);
const viewOf = tidyingOf(TIDY_KINDS.filter((kind) => kind !== "orphaned"));

const goneIn = memoLast(
	(fates: TidyState["fates"]): ReadonlySet<string> =>
		new Set([...fates].flatMap(([directory, { kind }]) => (kind === "gone" ? [directory] : []))),
);

/** Returns the same object as long as the same sessions are in use. */
function pathsInUse({ sessions }: LiveReport): ReadonlySet<string> {
	return setOf([...sessions.keys()].toSorted().join("\n"));
}

const setOf = memoLast((paths: string): ReadonlySet<string> => new Set(paths.split("\n")));
