import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { PUT_BACK } from "./git-operations.ts";
import type { Deed, World } from "./world.ts";

/** What changed a file last until so many deeds were done; undefined if nothing did. */
export function lastDeed(world: World, path: string, until: number): Deed | undefined {
	return world.deeds.slice(0, until).findLast(({ changed }) => changed.has(path));
}

/** Tells which changes of persons left no trace. */
export class Causes {
	readonly #world: World;
	/** "BLOB NAME", with zeros for a file that was removed. */
	readonly #committed: ReadonlySet<string>;

	constructor(world: World) {
		this.#world = world;
		this.#committed = world.isGit ? committedFiles(world.root) : new Set();
	}

	/** Whether what a file holds after so many deeds is in a part the work of a person that was never committed. */
	isUntraced(path: string, until: number): boolean {
		const deed = this.#ground(path, until);
		if (deed === undefined || deed.author.how !== "hand" || deed.operation === "begin") return false;
		if (deed.operation === PUT_BACK) return true;
		const root = [...this.#world.now.keys()].find((one) => path.startsWith(`${one}/`)) ?? this.#world.side;
		const blob = deed.changed.get(path) ?? "0".repeat(40);
		return !this.#committed.has(`${blob} ${relative(root, path)}`);
	}

	/** The last deed that did not only change a part of the file, or bring back what had been somewhere before. */
	#ground(path: string, until: number): Deed | undefined {
		const { deeds } = this.#world;
		const index = deeds.slice(0, until).findLastIndex(({ changed }) => changed.has(path));
		const deed = deeds[index];
		if (deed === undefined || deed.author.how === "hand" || deed.author.how === "write") return deed;
		const blob = deed.changed.get(path);
		if (deed.author.how === "edit" || blob === undefined) return this.#ground(path, index);
		const earlier = deeds.slice(0, index).findLastIndex(({ changed }) => [...changed.values()].includes(blob));
		const [from = path] = [...(deeds[earlier]?.changed ?? [])].find(([, one]) => one === blob) ?? [];
		return this.#ground(from, earlier === -1 ? index : earlier + 1);
	}
}

/** All that any commit, also one that no branch has any more, put into a file or removed. */
function committedFiles(root: string): ReadonlySet<string> {
	const options = ["--all", "--reflog", "-m", "--format=", "--raw", "-z", "--no-renames", "--no-abbrev"];
	const log = execFileSync("git", ["log", ...options], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
	return new Set([...log.matchAll(/:\d+ \d+ \w+ (\w+) \w\0([^\0]+)/g)].map(([, blob, name]) => `${blob} ${name}`));
}
