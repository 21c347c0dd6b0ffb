import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { parentsOf } from "../../world/list/thread.ts";

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
	const isAble = (row: SessionRow): boolean =>
		row.archived !== true &&
		row.messageCount > 0 &&
		!inUse.has(row.path) &&
		isSession(row) &&
		!isDamaged(row.diagnostics);
	return relativesIn(rows).flatMap((group) => {
		const members = withPartner(group.filter(isAble));
		return members.length < 2 ? [] : [familyFrom(members)];
	});
}

/** Sessions that have a parent, or an id, in common. Most have nothing in common with any other, and are left out. */
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
		// A parent that is gone has left its forks, which have it in common.
		const parent = parents.get(row);
		join(links, path, parent?.path ?? parentSession);
		related.set(path, row);
		if (parent !== undefined) related.set(parent.path, parent);
	}
	return [...Map.groupBy(related.values(), ({ path }) => rootOf(links, path)).values()];
}

/** Puts what two keys stand for together. */
function join(links: Map<string, string>, a: string, b: string): void {
	const [from, to] = [rootOf(links, a), rootOf(links, b)];
	if (from !== to) links.set(from, to);
}

/** The same for all that was put together. */
function rootOf(links: Map<string, string>, key: string): string {
	let root = key;
	for (let next = links.get(root); next !== undefined; next = links.get(root)) root = next;
	// The way is shorter from now on.
	for (let at = key; at !== root; ) {
		const next = links.get(at) ?? root;
		links.set(at, root);
		at = next;
	}
	return root;
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
