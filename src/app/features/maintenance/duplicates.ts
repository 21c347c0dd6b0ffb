import type { SessionRow } from "../../../catalog/model/row.ts";
import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";

/** What decides which of several equal sessions is kept. */
interface Preferences {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Whether its directory is gone. */
	readonly isGone: (row: SessionRow) => boolean;
	/** Whether it is pinned or tagged, or in use. */
	readonly isWanted: (row: SessionRow) => boolean;
}

/**
 * Paths of the sessions contained in another one, each with the path of a kept session that contains it. Of equal sessions one is
 * kept: a wanted one before others, one whose directory exists before others, the original before a copy. A session whose
 * directory exists never counts as contained in one whose directory is gone.
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
		// Of equal sessions only these are kept, and a session is contained only in those before it.
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

	/** Sorts the session to keep first. */
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

/** Whether the file has the name that pi gave it, with the id of the session: a copy has not, and its name is usually longer. */
function hasOwnName({ path, id }: SessionRow): boolean {
	return path.endsWith(`_${id}.jsonl`);
}
