import { createHash } from "node:crypto";
import { readContent } from "./session-content.ts";

/** Sessions that stand wholly in others. */
export interface ContainedSessions {
	/** Paths of one, or of several that are the same and so stand in each other. */
	readonly paths: readonly string[];
	/** Paths of those that hold all of it, and more. */
	readonly within: readonly string[];
}

/** Sessions that are the same. */
interface Same {
	readonly paths: string[];
	/** What they hold, by number. */
	readonly parts: ReadonlySet<number>;
}

/**
 * Which of these sessions hold nothing that does not stand in another one of them, entry for entry, with the same labels and the
 * same name, if it has one. Reads the files, and blocks its thread meanwhile. Nothing is written.
 */
export function findContained(paths: readonly string[]): readonly ContainedSessions[] {
	const all = groupSame(paths);
	const holders = new Map<number, Same[]>();
	for (const one of all)
		for (const part of one.parts) {
			const some = holders.get(part);
			if (some === undefined) holders.set(part, [one]);
			else some.push(one);
		}
	return all.flatMap((one) => {
		const within = holdersOf(one, holders).flatMap((holder) => holder.paths);
		return one.paths.length < 2 && within.length === 0 ? [] : [{ paths: one.paths, within }];
	});
}

/** The sessions, each with all that are the same; without those of which nothing can be said for certain. */
function groupSame(paths: readonly string[]): readonly Same[] {
	const numbers = new Map<string, number>();
	const found = new Map<string, Same>();
	for (const path of paths) {
		const content = readContent(path);
		if (content === undefined) continue;
		const parts = Uint32Array.from(content, (part) => {
			const number = numbers.get(part) ?? numbers.size;
			numbers.set(part, number);
			return number;
		}).sort();
		const key = createHash("sha256").update(parts).digest("base64");
		const same = found.get(key);
		if (same === undefined) found.set(key, { paths: [path], parts: new Set(parts) });
		else same.paths.push(path);
	}
	return [...found.values()];
}

/**
 * Those that hold all parts. The part that the fewest have is looked for first: of the forks of one session, each with something of
 * its own, nothing else need be compared.
 */
function holdersOf(one: Same, holders: ReadonlyMap<number, readonly Same[]>): readonly Same[] {
	const having = (part: number): readonly Same[] => holders.get(part) ?? [];
	const rarestFirst = [...one.parts].sort((a, b) => having(a).length - having(b).length);
	const [rarest = -1, ...others] = rarestFirst;
	let left = having(rarest).filter((other) => other.parts.size > one.parts.size);
	for (const part of others) {
		if (left.length === 0) break;
		left = left.filter(({ parts }) => parts.has(part));
	}
	return left;
}
