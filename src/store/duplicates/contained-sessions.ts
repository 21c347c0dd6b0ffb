import { createHash } from "node:crypto";
import { readContent } from "./session-content.ts";

/** Sessions whose whole content is also in others. */
export interface ContainedSessions {
	/** Path of one, or paths of several with the same content. */
	readonly paths: readonly string[];
	/** Paths of those that contain all of it, and more. */
	readonly within: readonly string[];
}

/** Sessions with the same content. */
interface Group {
	readonly paths: string[];
	/** Their content, as numbers of its items. */
	readonly items: ReadonlySet<number>;
}

/**
 * Finds sessions whose content is all in another one of them: the same entries, the same labels and the same name, if it has
 * one. Reads the files, and blocks its thread meanwhile. Nothing is written.
 */
export function findContained(paths: readonly string[]): readonly ContainedSessions[] {
	const groups = groupSame(paths);
	const holders = new Map<number, Group[]>();
	for (const one of groups)
		for (const item of one.items) {
			const some = holders.get(item);
			if (some === undefined) holders.set(item, [one]);
			else some.push(one);
		}
	return groups.flatMap((one) => {
		const within = holdersOf(one, holders).flatMap((holder) => holder.paths);
		return one.paths.length < 2 && within.length === 0 ? [] : [{ paths: one.paths, within }];
	});
}

/** Groups sessions with the same content; leaves out those whose content is uncertain. */
function groupSame(paths: readonly string[]): readonly Group[] {
	const numbers = new Map<string, number>();
	const found = new Map<string, Group>();
	for (const path of paths) {
		const content = readContent(path);
		if (content === undefined) continue;
		const items = Uint32Array.from(content, (item) => {
			const number = numbers.get(item) ?? numbers.size;
			numbers.set(item, number);
			return number;
		}).sort();
		const key = createHash("sha256").update(items).digest("base64");
		const same = found.get(key);
		if (same === undefined) found.set(key, { paths: [path], items: new Set(items) });
		else same.paths.push(path);
	}
	return [...found.values()];
}

/**
 * The groups that contain all items. Begins with the item that the fewest have: among the forks of one session, each with
 * content of its own, nothing else need be compared.
 */
function holdersOf(one: Group, holders: ReadonlyMap<number, readonly Group[]>): readonly Group[] {
	const having = (item: number): readonly Group[] => holders.get(item) ?? [];
	const rarestFirst = [...one.items].sort((a, b) => having(a).length - having(b).length);
	const [rarest = -1, ...others] = rarestFirst;
	let left = having(rarest).filter((other) => other.items.size > one.items.size);
	for (const item of others) {
		if (left.length === 0) break;
		left = left.filter(({ items }) => items.has(item));
	}
	return left;
}
