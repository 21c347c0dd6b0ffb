import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state/state.ts";
import { chooseDuplicates } from "./duplicates.ts";
import { type Family, findFamilies } from "./families.ts";
import { uncheckedDirectories } from "./gone-groups.ts";
import { TIDY, type TidyState } from "./maintenance-state.ts";
import { findTidying, isMarked, TIDY_KINDS, type Tidying, type TidyKind } from "./tidy-groups.ts";

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
	const families = familiesIn(catalog.rows, inUse);
	const duplicates = duplicatesIn(catalog.rows, families, tidy.compared, tidy.fates, marks, inUse);
	return [catalog.rows, catalog.counts, marks, inUse, duplicates, tidy.fates, oldBefore];
}

/** The families in which one session may be contained in another. */
export function selectFamilies({ catalog }: State): readonly Family[] {
	return familiesIn(catalog.rows, pathsInUse(catalog.live));
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
				isWanted: (row) => isMarked(row, marks) || inUse.has(row.path),
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
