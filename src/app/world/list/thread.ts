import { isPinned, type Marks } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { findLinks, isAboutLinks, type Links } from "../../../catalog/model/session-links.ts";
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
 * The connectors before a title, cut to slightly more than their last `width` cells: a chain of 20,000 forks would have
 * 60,000 characters in each row.
 */
export function connectorsOf(level: Level | undefined, width: number): string {
	if (level === undefined) return "";
	let connectors = level.isLast ? "└─ " : "├─ ";
	for (let above = level.above; above !== undefined && connectors.length <= width; above = above.above)
		connectors = (above.isLast ? " " : "│").padEnd(CONNECTOR_WIDTH) + connectors;
	return connectors;
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
 * that order. A fork whose parent is not among them is a root. Every session appears once. Pinned ones are roots,
 * with their forks below them.
 */
export function threadRows(
	ordered: OrderedRows,
	shown: Uint32Array,
	links: Links,
	pinned: Marks["pinned"],
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
function rootsOf(nodes: ReadonlyMap<SessionRow, Node>, { parents }: Links, pinned: Marks["pinned"]): Node[] {
	const roots: Node[] = [];
	for (const [row, node] of nodes) {
		const parent = isPinned(row, { pinned }) ? undefined : parents.get(row);
		const above = parent && nodes.get(parent);
		if (above === undefined) roots.push(node);
		else above.children.push(node);
	}
	return roots;
}

/** The links of all sessions. */
export const linksOf = memoVersions(findLinks, (before, now, links) =>
	[before, now].some((row) => row !== undefined && isAboutLinks(row, links)),
);

/** Each fork or run → its parent. */
export function parentsOf(rows: ReadonlyMap<string, SessionRow>): Links["parents"] {
	return linksOf(rows).parents;
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
