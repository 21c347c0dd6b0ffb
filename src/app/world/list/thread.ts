import { isPinned, type Marks } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { findLinks, type Links } from "../../../catalog/model/session-links.ts";
import { sameEntries } from "../../../shared/maps.ts";
import { memoEqual } from "../../../shared/memo.ts";
import type { PageRow } from "../../../ui/page/page-rows.ts";
import { compareText, type SortKey } from "./compare-keys.ts";

/** A session in the list, and its level below the session that it was forked from. */
export interface ThreadedRow extends PageRow {
	readonly row: SessionRow;
	/** Undefined for a session that is not a fork of a listed one. */
	readonly level: Level | undefined;
	/** Latest activity of the session and its forks, Unix ms, where it has any: by that its family stands where it does. */
	readonly latest?: number;
}

export interface Level {
	/** Level of the session that it was forked from. */
	readonly above: Level | undefined;
	readonly isLast: boolean;
}

export interface OrderedRow {
	/** The list item, as a root; the same object in every order. */
	readonly item: ThreadedRow;
	/** Numbers are such that the first session has the smallest. */
	readonly key: SortKey;
	/** Time of the last activity, runs included, Unix ms. */
	readonly time: number;
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
 * Puts forks under the sessions they were made from, siblings and roots by the latest activity anywhere below them, or, if
 * `isReversed`, the oldest first. `shown`: in the order of their own activity. A fork whose parent is not among them is a root.
 * Every session appears once. Pinned ones are roots, with their forks below them.
 */
export function threadRows(
	shown: readonly OrderedRow[],
	{ members, parents }: Links,
	pinned: Marks["pinned"],
	isReversed: boolean,
): readonly ThreadedRow[] {
	const byLatest = (one: Node, other: Node): number =>
		(isReversed ? one.latest - other.latest : other.latest - one.latest) ||
		compareText(one.item.row.path, other.item.row.path);
	const roots: Node[] = [];
	const linked = new Map<SessionRow, Node>();
	for (const { item, time } of shown) {
		const node: Node = { item, children: [], latest: time };
		if (members.has(item.row)) linked.set(item.row, node);
		else roots.push(node);
	}
	if (linked.size === 0) return shown.map(({ item }) => item);
	for (const [row, node] of linked) {
		const parent = isPinned(row, { pinned }) ? undefined : parents.get(row);
		const above = parent && linked.get(parent);
		(above?.children ?? roots).push(node);
	}
	for (const node of walk(roots).reverse()) {
		for (const child of node.children) node.latest = Math.max(node.latest, child.latest);
		node.children.sort(byLatest);
	}
	const threaded: ThreadedRow[] = [];
	for (const root of roots.sort(byLatest)) draw(root, threaded);
	return threaded;
}

/** The links of all sessions; the same object while nothing changes in them. */
export const linksOf = memoEqual(findLinks, (one, other) => sameEntries(one.parents, other.parents));

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
		const { item, children, latest } = node;
		const family = children.length === 0 ? {} : { latest };
		drawn.push(level === undefined && children.length === 0 ? item : { ...item, level, ...family });
		for (const [index, child] of children.toReversed().entries())
			stack.push({ node: child, level: { above: level, isLast: index === 0 } });
	}
}
