import type { SessionRow } from "../../catalog/model/row.ts";
import type { ContainedSession } from "../../store/duplicates/contained-sessions.ts";

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
	contained: Iterable<ContainedSession>,
	{ rows, isGone, isWanted }: Preferences,
): ReadonlyMap<string, string> {
	const within = new Map<string, ReadonlySet<string>>();
	for (const { path, within: others } of contained) within.set(path, new Set(others));
	const holders = new Map<string, readonly SessionRow[]>();
	for (const [path, others] of within) {
		const row = rows.get(path);
		if (row === undefined) continue;
		const found = [...others].flatMap((other) => {
			const holder = rows.get(other);
			if (holder === undefined || (isGone(holder) && !isGone(row))) return [];
			const isSame = within.get(other)?.has(path) === true;
			return isSame && compare(row, holder) < 0 ? [] : [holder];
		});
		if (found.length > 0) holders.set(path, found);
	}
	const chosen = new Map<string, string>();
	for (const [path, found] of holders) {
		const stays = found.filter((holder) => !holders.has(holder.path)).toSorted(compare)[0];
		if (stays !== undefined) chosen.set(path, stays.path);
	}
	return chosen;

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
