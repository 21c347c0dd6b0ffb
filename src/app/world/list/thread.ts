import type { SessionRow } from "../../../catalog/model/row.ts";
import { RUN_FILE } from "../../../catalog/model/run-place.ts";
import { pick } from "../../../shared/columns.ts";
import { memoLast, memoVersions } from "../../../shared/memo.ts";
import type { OrderedRows } from "./ordered-rows.ts";
import { compareText } from "./sorted-by.ts";

/** A session in the list, and its level below the session that it was forked from. */
export interface ThreadedRow {
	readonly row: SessionRow;
	/** Undefined for a session that is not a fork of a listed one. */
	readonly level: Level | undefined;
}

/** A fork among those of the same session. */
export interface Level {
	/** Level of the session that it was forked from. */
	readonly above: Level | undefined;
	/** Whether it is the last fork of that session. */
	readonly isLast: boolean;
}

const CONNECTOR_WIDTH = 3;

/**
 * The connectors before a title, of which only slightly more than the last `width` cells are made: those of a chain of
 * 20,000 forks would be 60,000 characters in each row.
 */
export function connectorsOf(level: Level | undefined, width: number): string {
	if (level === undefined) return "";
	let connectors = level.isLast ? "└─ " : "├─ ";
	for (let above = level.above; above !== undefined && connectors.length <= width; above = above.above)
		connectors = (above.isLast ? " " : "│").padEnd(CONNECTOR_WIDTH) + connectors;
	return connectors;
}

/** Which sessions were forked from which, or asked for which runs. */
interface Links {
	/** Each fork or run → its parent, if that is listed. Without cycles: the oldest session of a cycle has no parent. */
	readonly parents: ReadonlyMap<SessionRow, SessionRow>;
	/** All forks and runs, and all sessions that have some. */
	readonly members: ReadonlySet<SessionRow>;
	/** Hashes of the ends of file names that are searched for under another path. */
	readonly ends: ReadonlySet<number>;
}

interface Node {
	readonly item: ThreadedRow;
	readonly children: Node[];
	/** Latest activity of the session and its forks, Unix ms. */
	latest: number;
}

/**
 * Puts forks under the sessions they were made from, siblings and roots by the latest activity anywhere below them. `shown`:
 * indexes of the sessions in the order of their own activity, or, if `isReversed`, oldest first; sessions without links keep
 * that order. A fork whose parent is not among them is a root. Every session appears once. Pinned ones, by id, are roots,
 * with their forks below them.
 */
export function threadRows(
	ordered: OrderedRows,
	shown: Uint32Array,
	links: Links,
	pinned: ReadonlySet<string>,
	isReversed: boolean,
): readonly ThreadedRow[] {
	const { items, times } = ordered;
	const byLatest = (one: Node, other: Node): number =>
		(isReversed ? one.latest - other.latest : other.latest - one.latest) ||
		compareText(one.item.row.path, other.item.row.path);
	const isMember = membersIn(ordered, links);
	const nodes = new Map<SessionRow, Node>();
	for (let place = 0; place < shown.length; place++) {
		const at = shown[place] as number;
		const item = isMember[at] === 1 ? items[at] : undefined;
		if (item !== undefined) nodes.set(item.row, { item, children: [], latest: times[at] ?? 0 });
	}
	if (nodes.size === 0) return pick(items, shown);
	const roots = rootsOf(nodes, links, pinned);
	for (const node of walk(roots).reverse()) {
		for (const child of node.children) node.latest = Math.max(node.latest, child.latest);
		node.children.sort(byLatest);
	}
	roots.sort(byLatest);
	const threaded: ThreadedRow[] = [];
	let next = 0;
	for (let place = 0; place < shown.length; place++) {
		const at = shown[place] as number;
		if (isMember[at] === 1) continue;
		const item = items[at] as ThreadedRow;
		const time = times[at] as number;
		for (let root = roots[next]; root !== undefined; root = roots[++next]) {
			const later = isReversed ? time - root.latest : root.latest - time;
			if (later < 0 || (later === 0 && compareText(item.row.path, root.item.row.path) < 0)) break;
			draw(root, threaded);
		}
		threaded.push(item);
	}
	for (const root of roots.slice(next)) draw(root, threaded);
	return threaded;
}

/** For each index of an order, whether its session has links. */
const membersIn = memoLast(({ items }: OrderedRows, { members }: Links): Uint8Array => {
	const isMember = new Uint8Array(items.length);
	for (let at = 0; at < items.length; at++) if (members.has((items[at] as ThreadedRow).row)) isMember[at] = 1;
	return isMember;
});

/** Puts forks under their parents, unordered; returns the roots. */
function rootsOf(nodes: ReadonlyMap<SessionRow, Node>, { parents }: Links, pinned: ReadonlySet<string>): Node[] {
	const roots: Node[] = [];
	for (const [row, node] of nodes) {
		const parent = pinned.has(row.id) ? undefined : parents.get(row);
		const above = parent && nodes.get(parent);
		if (above === undefined) roots.push(node);
		else above.children.push(node);
	}
	return roots;
}

/** The links of all sessions. */
export const linksOf = memoVersions(
	(rows: ReadonlyMap<string, SessionRow>): Links => {
		const parents = new Map<SessionRow, SessionRow>();
		const lost: SessionRow[] = [];
		for (const row of rows.values()) {
			const path = parentPath(row);
			if (path === undefined) continue;
			const parent = rows.get(path);
			// All runs with a number have files of the same name.
			if (parent === undefined && fileName(path) !== RUN_FILE) lost.push(row);
			if (parent === undefined) continue;
			parents.set(row, parent);
		}
		// After a sessions directory was moved, parents have old paths, but the file name still identifies them.
		const names = new Set(lost.map((row) => fileName(parentPath(row) ?? "")));
		// Extracting the name from every path would take longer than all the rest, and nearly all have other ends.
		const ends = new Set([...names].map(endOf));
		const named = findByName(rows, names, ends);
		for (const row of lost) {
			const parent = named.get(fileName(parentPath(row) ?? ""));
			if (parent !== undefined) parents.set(row, parent);
		}
		cutCycles(parents);
		return { parents, members: new Set([...parents.keys(), ...parents.values()]), ends };
	},
	(before, now, { members, ends }) =>
		[before, now].some(
			(row) => row !== undefined && (parentPath(row) !== undefined || members.has(row) || ends.has(endOf(row.path))),
		),
);

/** Path of the session that a fork was made from, or that asked for a run. */
function parentPath({ run, parentSession }: SessionRow): string | undefined {
	return run?.parent ?? (parentSession === "" ? undefined : parentSession);
}

/** Each fork or run → its parent. */
export function parentsOf(rows: ReadonlyMap<string, SessionRow>): Links["parents"] {
	return linksOf(rows).parents;
}

/** The sessions in files with these names; of several the one with the latest activity. */
function findByName(
	rows: ReadonlyMap<string, SessionRow>,
	names: ReadonlySet<string>,
	ends: ReadonlySet<number>,
): ReadonlyMap<string, SessionRow> {
	const found = new Map<string, SessionRow>();
	if (ends.size === 0) return found;
	for (const row of rows.values()) {
		if (!ends.has(endOf(row.path))) continue;
		const name = fileName(row.path);
		if (!names.has(name)) continue;
		const known = found.get(name);
		if (known === undefined || isBefore(known.modified, row.modified, known.path, row.path)) found.set(name, row);
	}
	return found;
}

const EXTENSION = ".jsonl".length;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/** A hash of the last characters of a file name before its extension, from the name or a path. */
function endOf(path: string): number {
	let end = 0;
	for (let at = path.length - EXTENSION - 1; at >= Math.max(0, path.length - EXTENSION - 4); at--) {
		const code = path.charCodeAt(at);
		if (code === SLASH || code === BACKSLASH) break;
		end = (Math.imul(end, 31) + code) | 0;
	}
	return end;
}

function cutCycles(parents: Map<SessionRow, SessionRow>): void {
	const done = new Set<SessionRow>();
	for (const start of parents.keys()) {
		const way = new Set<SessionRow>();
		let row: SessionRow | undefined = start;
		while (row !== undefined && !done.has(row) && !way.has(row)) {
			way.add(row);
			row = parents.get(row);
		}
		if (row !== undefined && way.has(row)) {
			const cycle = [...way];
			const oldest = cycle
				.slice(cycle.indexOf(row))
				.reduce((a, b) => (isBefore(a.created, b.created, a.path, b.path) ? a : b));
			parents.delete(oldest);
		}
		for (const seen of way) done.add(seen);
	}
}

/** By time, then by path. */
function isBefore(one: Date, other: Date, onePath: string, otherPath: string): boolean {
	return (one.getTime() - other.getTime() || compareText(onePath, otherPath)) < 0;
}

function walk(roots: readonly Node[]): Node[] {
	const order: Node[] = [];
	const stack = [...roots];
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		order.push(node);
		for (const child of node.children) stack.push(child);
	}
	return order;
}

/** Appends a root with everything below it. */
function draw(root: Node, drawn: ThreadedRow[]): void {
	const stack: { readonly node: Node; readonly level: Level | undefined }[] = [{ node: root, level: undefined }];
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		const { node, level } = top;
		drawn.push(level === undefined ? node.item : { row: node.item.row, level });
		for (const [index, child] of node.children.toReversed().entries())
			stack.push({ node: child, level: { above: level, isLast: index === 0 } });
	}
}

function fileName(path: string): string {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
