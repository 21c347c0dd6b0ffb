import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../model/state.ts";
import type { TidyState } from "../../model/tidy-state.ts";
import { unlooked } from "../../moved/gone-groups.ts";
import { chooseDuplicates } from "./duplicates.ts";
import { type Family, findFamilies } from "./families.ts";
import { findTidying, isMarked, type Tidying } from "./tidy-groups.ts";

const DAY = 86_400_000;

/** What may be deleted, as far as it is known. */
export function selectTidying(state: State): Tidying {
	const { catalog, marks, tidy, now } = state;
	const inUse = pathsInUse(catalog.live);
	const oldBefore = startOfDay(now) - tidy.oldDays * DAY;
	const duplicates = duplicatesIn(catalog.rows, selectFamilies(state), tidy.compared, tidy.fates, marks, inUse);
	return tidyingOf(catalog.rows, catalog.counts, marks, inUse, duplicates, tidy.fates, oldBefore);
}

/** The families of which it is to be found out whether one session stands in another. */
export function selectFamilies({ catalog }: State): readonly Family[] {
	return familiesIn(catalog.rows, pathsInUse(catalog.live));
}

/** What of a family is not known yet; nothing once the person has stopped that. */
export function familiesToCompare(state: State): readonly Family[] {
	return unread(selectFamilies(state), state.tidy.compared);
}

const unread = memoLast((families: readonly Family[], compared: TidyState["compared"]) =>
	families.filter(({ key }) => !compared.has(key)),
);

/** Whether directories are still being looked at. */
export function isLooking(state: State): boolean {
	return unlooked(state).length > 0;
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

const tidyingOf = memoLast(
	(
		rows: State["catalog"]["rows"],
		counts: State["catalog"]["counts"],
		marks: State["marks"],
		inUse: ReadonlySet<string>,
		duplicates: ReadonlyMap<string, string>,
		fates: TidyState["fates"],
		oldBefore: number,
	): Tidying => findTidying({ rows, counts, marks, inUse, duplicates, gone: goneIn(fates), oldBefore }),
);

const goneIn = memoLast(
	(fates: TidyState["fates"]): ReadonlySet<string> =>
		new Set([...fates].flatMap(([directory, { kind }]) => (kind === "gone" ? [directory] : []))),
);

/** The same object as long as the same sessions are in use. */
function pathsInUse({ sessions }: LiveReport): ReadonlySet<string> {
	return setOf([...sessions.keys()].toSorted().join("\n"));
}

const setOf = memoLast((paths: string): ReadonlySet<string> => new Set(paths.split("\n")));
