import type { SessionRow } from "../../../catalog/model/row.ts";
import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";

/** What decides which of several sessions is the one to stay. */
interface Preferences {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Whether its directory is gone. */
	readonly isGone: (row: SessionRow) => boolean;
	/** Whether the person has noted that they want it, or somebody uses it. */
	readonly isWanted: (row: SessionRow) => boolean;
}

/**
 * Sessions with nothing of their own, each with the one that stays and holds all of it. Of sessions that are the same, one
 * stays: what is wanted before what is not, what can be gone on with in its directory before what cannot, the original before
 * the copy. No session that can be gone on with counts as held by one that cannot.
 */
export function chooseDuplicates(
	contained: Iterable<ContainedSessions>,
	{ rows, isGone, isWanted }: Preferences,
): ReadonlyMap<string, string> {
	const rowsOf = (paths: readonly string[]): SessionRow[] =>
		paths.map((path) => rows.get(path)).filter((row) => row !== undefined);
	const groups = [...contained].map(({ paths, within }) => {
		const same = rowsOf(paths).toSorted(compare);
		const holders = rowsOf(within);
		return { same, first: same[0], firstThere: same.find((row) => !isGone(row)), holders };
	});
	const held = new Set<SessionRow>();
	for (const { same, first, firstThere, holders } of groups) {
		const isHeldThere = holders.some((row) => !isGone(row));
		for (const row of same)
			if (isGone(row) ? row !== first || holders.length > 0 : row !== firstThere || isHeldThere) held.add(row);
	}
	const chosen = new Map<string, string>();
	for (const { same, first, firstThere, holders } of groups) {
		const stay = holders.filter((row) => !held.has(row));
		const outside = [bestOf(stay), bestOf(stay.filter((row) => !isGone(row)))];
		// Nothing but these stays of those that are the same, and each is held by what comes before it only.
		const before: SessionRow[] = [];
		for (const row of same) {
			const able = [...before, ...outside].filter(
				(holder) => holder !== undefined && !held.has(holder) && (isGone(row) || !isGone(holder)),
			);
			const stays = held.has(row) ? bestOf(able) : undefined;
			if (stays !== undefined) chosen.set(row.path, stays.path);
			if (row === first || row === firstThere) before.push(row);
		}
	}
	return chosen;

	function bestOf(some: readonly (SessionRow | undefined)[]): SessionRow | undefined {
		let best: SessionRow | undefined;
		for (const row of some) if (row !== undefined && (best === undefined || compare(row, best) < 0)) best = row;
		return best;
	}

	/** Which of two stays before the other: less than 0, the first one. */
	function compare(a: SessionRow, b: SessionRow): number {
		return (
			Number(isWanted(b)) - Number(isWanted(a)) ||
			Number(isGone(a)) - Number(isGone(b)) ||
			a.created.getTime() - b.created.getTime() ||
			Number(a.parentSession === b.path) - Number(b.parentSession === a.path) ||
			Number(hasOwnName(b)) - Number(hasOwnName(a)) ||
			a.path.length - b.path.length ||
			(a.path < b.path ? -1 : 1)
		);
	}
}

/** Whether the file is called as pi calls it, after the session's id: a copy of it is not, and has mostly a longer name. */
function hasOwnName({ path, id }: SessionRow): boolean {
	return path.endsWith(`_${id}.jsonl`);
}
