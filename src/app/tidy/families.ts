import { isSession, type SessionRow } from "../../catalog/model/row.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { parentsOf } from "../list/thread.ts";

/** Sessions of which one may stand in another: forks of the same one, or of the same id. They are read to find it out. */
export interface Family {
	/** Says what they were when they were put together: what was found of a family holds as long as that stays. */
	readonly key: string;
	readonly paths: readonly string[];
	/** Of all files together. */
	readonly bytes: number;
}

/**
 * The families among these sessions, without those that cannot stand in another one, nor hold one, as far as the rows tell.
 * Sessions in the archive, damaged ones, and those in use, which would have to be read again and again, belong to none.
 */
export function findFamilies(
	rows: ReadonlyMap<string, SessionRow>,
	inUse: Pick<ReadonlySet<string>, "has"> = new Set(),
): readonly Family[] {
	const able = [...rows.values()].filter(
		(row) =>
			row.archived !== true &&
			row.messageCount > 0 &&
			!inUse.has(row.path) &&
			isSession(row) &&
			!isDamaged(row.diagnostics),
	);
	const groups = Map.groupBy(able, familyOf(rows));
	return [...groups.values()].flatMap((group) => {
		const members = group.length < 2 ? [] : withPartner(group);
		return members.length < 2 ? [] : [familyFrom(members)];
	});
}

/** Puts sessions together that have a parent, or an id, in common; for each the path of one of them. */
function familyOf(rows: ReadonlyMap<string, SessionRow>): (row: SessionRow) => string {
	const links = new Map<string, string>();
	const rootOf = (key: string): string => {
		let root = key;
		for (let next = links.get(root); next !== undefined; next = links.get(root)) root = next;
		// The way is shorter from now on.
		for (let at = key; at !== root; ) {
			const next = links.get(at) ?? root;
			links.set(at, root);
			at = next;
		}
		return root;
	};
	const join = (a: string, b: string): void => {
		const [from, to] = [rootOf(a), rootOf(b)];
		if (from !== to) links.set(from, to);
	};
	const parents = parentsOf(rows);
	for (const row of rows.values()) {
		const { path, id, parentSession } = row;
		// A parent that is gone has left its forks, which have it in common.
		const parent = parents.get(row)?.path ?? parentSession;
		if (parent !== undefined && parent !== "") join(path, parent);
		if (id !== "") join(path, `id ${id}`);
	}
	return ({ path }) => rootOf(path);
}

/**
 * Those for which there is another one that may hold them, or that they may hold: what holds a session has no fewer messages,
 * and its last one is no older.
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
