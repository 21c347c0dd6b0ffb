import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import type { ContainedSessions } from "../../../store/doctor/contained-sessions.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { parentsOf } from "../../world/list/thread.ts";

/** Related sessions, one of which may contain another: forks of the same session, or files with the same id. */
export interface Family {
	/** Changes when one of its files changes, so that a result stored under it is valid as long as the key exists. */
	readonly key: string;
	readonly paths: readonly string[];
	/** Total size of its files. */
	readonly bytes: number;
}

/**
 * The families among these sessions, without members whose rows rule out that they contain another one or are contained in one.
 * Archived sessions, runs of subagents, damaged sessions, and those in use (which would have to be read again and again) belong
 * to no family.
 */
export function findFamilies(
	rows: ReadonlyMap<string, SessionRow>,
	inUse: Pick<ReadonlySet<string>, "has"> = new Set(),
): readonly Family[] {
	const isEligible = (row: SessionRow): boolean =>
		row.archived !== true &&
		// A run that began with a copy of its parent contains that, and is not what the person wants to keep.
		row.run === undefined &&
		row.messageCount > 0 &&
		!inUse.has(row.path) &&
		isSession(row) &&
		!isDamaged(row.diagnostics);
	return relativesIn(rows).flatMap((group) => {
		const members = withPartner(group.filter(isEligible));
		return members.length < 2 ? [] : [familyFrom(members)];
	});
}

/** Sessions that have a parent or an id in common. Most sessions have neither, and are left out. */
function relativesIn(rows: ReadonlyMap<string, SessionRow>): readonly (readonly SessionRow[])[] {
	const links = new Map<string, string>();
	const related = new Map<string, SessionRow>();
	const byId = new Map<string, SessionRow>();
	const parents = parentsOf(rows);
	for (const row of rows.values()) {
		const { path, id, parentSession } = row;
		const same = id === "" ? undefined : byId.get(id);
		if (same === undefined) byId.set(id, row);
		else {
			join(links, path, same.path);
			related.set(path, row).set(same.path, same);
		}
		if (parentSession === undefined || parentSession === "") continue;
		// Forks of a deleted parent still have it in common.
		const parent = parents.get(row);
		join(links, path, parent?.path ?? parentSession);
		related.set(path, row);
		if (parent !== undefined) related.set(parent.path, parent);
	}
	return [...Map.groupBy(related.values(), ({ path }) => rootOf(links, path)).values()];
}

/** Union-find: unites the sets of two keys. */
function join(links: Map<string, string>, a: string, b: string): void {
	const [from, to] = [rootOf(links, a), rootOf(links, b)];
	if (from !== to) links.set(from, to);
}

/** The representative of a set. */
function rootOf(links: Map<string, string>, key: string): string {
	let root = key;
	for (let next = links.get(root); next !== undefined; next = links.get(root)) root = next;
	// Path compression.
	for (let at = key; at !== root; ) {
		const next = links.get(at) ?? root;
		links.set(at, root);
		at = next;
	}
	return root;
}

/**
 * The sessions that may contain another session of the group, or be contained in one: the containing session has at least as many
 * messages, and its last message is at least as new.
 */
function withPartner(group: readonly SessionRow[]): readonly SessionRow[] {
	const ordered = group.toSorted(
		(a, b) => b.modified.getTime() - a.modified.getTime() || b.messageCount - a.messageCount,
	);
	const partners = new Set<SessionRow>();
	mark(ordered, (row, most) => row.messageCount <= most, Math.max);
	mark(ordered.toReversed(), (row, least) => row.messageCount >= least, Math.min);
	return ordered.filter((row) => partners.has(row));

	function mark(
		rows: readonly SessionRow[],
		fits: (row: SessionRow, extreme: number) => boolean,
		extremeOf: (a: number, b: number) => number,
	): void {
		let extreme: number | undefined;
		for (const row of rows) {
			if (extreme !== undefined && fits(row, extreme)) partners.add(row);
			extreme = extreme === undefined ? row.messageCount : extremeOf(extreme, row.messageCount);
		}
	}
}

function familyFrom(members: readonly SessionRow[]): Family {
	const sorted = members.toSorted((a, b) => (a.path < b.path ? -1 : 1));
	return {
		key: sorted
			.map(({ path, size, modified, name }) => `${path}\n${size} ${modified.getTime()} ${name ?? ""}`)
			.join("\n"),
		paths: sorted.map(({ path }) => path),
		bytes: sorted.reduce((sum, { size }) => sum + size, 0),
	};
}

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
