import type { SessionRow } from "../../catalog/model/row.ts";

/** A row in the list, with the connectors that show whose fork it is. */
export interface ThreadedRow {
	readonly row: SessionRow;
	/** Connectors before the title, "" for a session that is not a fork of a listed one. */
	readonly prefix: string;
}

const NONE: ReadonlySet<string> = new Set();

interface Node {
	readonly row: SessionRow;
	readonly children: Node[];
	/** Latest activity in the node and below it, Unix ms. */
	latest: number;
}

/**
 * Puts forks under the sessions they were made from, siblings and roots by the latest activity anywhere below them.
 * A fork whose parent is not among the rows is a root; so is one of each cycle of parents. Every row appears once. Pinned
 * sessions, by id, are roots before all others, with their forks below them. `reversed`: the oldest activity first.
 */
export function threadRows(
	rows: readonly SessionRow[],
	pinned: ReadonlySet<string> = NONE,
	reversed = false,
): ThreadedRow[] {
	const byActivity = reversed ? (a: Node, b: Node): number => byLatest(b, a) : byLatest;
	const nodes = new Map<string, Node>();
	for (const row of rows) nodes.set(row.path, { row, children: [], latest: row.modified.getTime() });
	const parents = findParents(rows);
	const roots: Node[] = [];
	for (const node of nodes.values()) {
		const parent = pinned.has(node.row.id) ? undefined : nodes.get(parents.get(node.row.path) ?? "");
		if (parent === undefined) roots.push(node);
		else parent.children.push(node);
	}
	const preorder = walk(roots);
	for (const node of preorder.toReversed()) {
		for (const child of node.children) node.latest = Math.max(node.latest, child.latest);
		node.children.sort(byActivity);
	}
	roots.sort(byActivity);
	const isPinned = ({ row }: Node): boolean => pinned.has(row.id);
	return draw(pinned.size === 0 ? roots : [...roots.filter(isPinned), ...roots.filter((root) => !isPinned(root))]);
}

/** Path of each fork → path of its parent, without cycles. */
export function findParents(rows: readonly SessionRow[]): Map<string, string> {
	const paths = new Set(rows.map((row) => row.path));
	let byName: ReadonlyMap<string, string> | undefined;
	const named = (name: string): string | undefined => {
		byName ??= new Map(rows.map((row) => [fileName(row.path), row.path]));
		return byName.get(name);
	};
	const parents = new Map<string, string>();
	for (const row of rows) {
		if (row.parentSession === undefined || row.parentSession === "") continue;
		const parent = paths.has(row.parentSession)
			? row.parentSession
			: // A sessions directory that was moved leaves old paths; the file's name still tells which one it is.
				named(fileName(row.parentSession));
		if (parent !== undefined && !leadsTo(parents, parent, row.path)) parents.set(row.path, parent);
	}
	return parents;
}

/** Whether `target` is `from` or one of its ancestors, so that a link between them would close a cycle. */
function leadsTo(parents: ReadonlyMap<string, string>, from: string, target: string): boolean {
	for (let path: string | undefined = from; path !== undefined; path = parents.get(path)) {
		if (path === target) return true;
	}
	return false;
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

function draw(roots: readonly Node[]): ThreadedRow[] {
	const drawn: ThreadedRow[] = [];
	// `gutter` is drawn before the children of the node.
	const stack = roots.map((node) => ({ node, prefix: "", gutter: "" })).reverse();
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		const { node, prefix, gutter } = top;
		drawn.push({ row: node.row, prefix });
		for (const [index, child] of node.children.toReversed().entries()) {
			const last = index === 0;
			stack.push({ node: child, prefix: gutter + (last ? "└─ " : "├─ "), gutter: gutter + (last ? "   " : "│  ") });
		}
	}
	return drawn;
}

function byLatest(a: Node, b: Node): number {
	return b.latest - a.latest || a.row.path.localeCompare(b.row.path);
}

function fileName(path: string): string {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
