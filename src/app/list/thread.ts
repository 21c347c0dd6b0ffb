import type { SessionRow } from "../../catalog/model/row.ts";
import { memoLast } from "../model/memo.ts";
import type { OrderedRow } from "./ordered-rows.ts";
import { compareText } from "./sorted-by.ts";

/** A row in the list, with the connectors that show whose fork it is. */
export interface ThreadedRow {
	readonly row: SessionRow;
	/** Connectors before the title, "" for a session that is not a fork of a listed one. */
	readonly prefix: string;
}

interface Node {
	readonly one: OrderedRow;
	readonly children: Node[];
	/** Latest activity in the node and below it, Unix ms. */
	latest: number;
}

/**
 * Puts forks under the sessions they were made from, siblings and roots by the latest activity anywhere below them. The
 * sessions are in the order of their own activity, the oldest first if `isReversed`; what is no fork and has none stays
 * there. A fork whose parent is not among them is a root. Every session appears once. Pinned ones, by id, are roots, with
 * their forks below them.
 */
export function threadRows(
	ordered: readonly OrderedRow[],
	parents: ReadonlyMap<SessionRow, SessionRow>,
	pinned: ReadonlySet<string>,
	isReversed: boolean,
): readonly ThreadedRow[] {
	const byLatest = ({ latest, one }: Node, other: Node): number =>
		(isReversed ? latest - other.latest : other.latest - latest) ||
		compareText(one.item.row.path, other.one.item.row.path);
	const { nodes, nested } = nodesOf(ordered, parents, pinned);
	if (nested.size === 0) return ordered.map(({ item }) => item);
	const roots = [...nodes.values()].filter(({ one }) => !nested.has(one.item.row));
	for (const node of walk(roots).reverse()) {
		for (const child of node.children) node.latest = Math.max(node.latest, child.latest);
		node.children.sort(byLatest);
	}
	roots.sort(byLatest);
	const threaded: ThreadedRow[] = [];
	let next = 0;
	for (const one of ordered) {
		const { row } = one.item;
		if (nested.has(row) || nodes.has(row)) continue;
		const own: Node = { one, children: [], latest: one.time };
		for (let root = roots[next]; root !== undefined && byLatest(root, own) < 0; root = roots[++next])
			draw(root, threaded);
		threaded.push(one.item);
	}
	for (const root of roots.slice(next)) draw(root, threaded);
	return threaded;
}

/** What is a fork of another one or has forks, and which of it stands under its parent. */
function nodesOf(
	ordered: readonly OrderedRow[],
	parents: ReadonlyMap<SessionRow, SessionRow>,
	pinned: ReadonlySet<string>,
): { readonly nodes: ReadonlyMap<SessionRow, Node>; readonly nested: ReadonlySet<SessionRow> } {
	const wanted = new Set<SessionRow>();
	for (const { item } of ordered) {
		const parent = item.row.parentSession === undefined ? undefined : parents.get(item.row);
		if (parent !== undefined && !pinned.has(item.row.id)) wanted.add(item.row).add(parent);
	}
	const nodes = new Map<SessionRow, Node>();
	const nested = new Set<SessionRow>();
	if (wanted.size === 0) return { nodes, nested };
	for (const one of ordered)
		if (wanted.has(one.item.row)) nodes.set(one.item.row, { one, children: [], latest: one.time });
	for (const [row, node] of nodes) {
		const parent = pinned.has(row.id) ? undefined : parents.get(row);
		const above = parent && nodes.get(parent);
		if (above === undefined) continue;
		above.children.push(node);
		nested.add(row);
	}
	return { nodes, nested };
}

/** The sessions that forks were made from, as far as they are listed; without cycles: the oldest of one has no parent. */
export const parentsOf = memoLast((rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<SessionRow, SessionRow> => {
	const parents = new Map<SessionRow, SessionRow>();
	const lost: SessionRow[] = [];
	for (const row of rows.values()) {
		if (row.parentSession === undefined || row.parentSession === "") continue;
		const parent = rows.get(row.parentSession);
		if (parent === undefined) lost.push(row);
		else parents.set(row, parent);
	}
	// A sessions directory that was moved leaves old paths; the file's name still tells which one it is.
	const named = findByName(rows, new Set(lost.map((row) => fileName(row.parentSession ?? ""))));
	for (const row of lost) {
		const parent = named.get(fileName(row.parentSession ?? ""));
		if (parent !== undefined) parents.set(row, parent);
	}
	cutCycles(parents);
	return parents;
});

/** The sessions in files of these names; of several the one that was active last. */
function findByName(
	rows: ReadonlyMap<string, SessionRow>,
	names: ReadonlySet<string>,
): ReadonlyMap<string, SessionRow> {
	const found = new Map<string, SessionRow>();
	// To take the name out of each path takes longer than all else: nearly all end in other characters.
	const ends = new Set([...names].map(endOf));
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

/** The last characters of a name before its extension, as a number; of a path, the same as of the name at its end. */
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

/** By time; where that is the same, by path. */
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

/** A root with all below it. */
function draw(root: Node, drawn: ThreadedRow[]): void {
	// `gutter` is drawn before the children of the node.
	const stack = [{ node: root, prefix: "", gutter: "" }];
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		const { node, prefix, gutter } = top;
		drawn.push(prefix === "" ? node.one.item : { row: node.one.item.row, prefix });
		for (const [index, child] of node.children.toReversed().entries()) {
			const last = index === 0;
			stack.push({ node: child, prefix: gutter + (last ? "└─ " : "├─ "), gutter: gutter + (last ? "   " : "│  ") });
		}
	}
}

function fileName(path: string): string {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
