import type { Stats } from "node:fs";
import { dirname, sep } from "node:path";
import { attempt } from "../../shared/attempt.ts";
import { type Listing, listingWith } from "./listing.ts";

/** A directory as it was read. */
export interface KnownDirectory {
	readonly stamp: DirectoryStamp;
	readonly listing: Listing;
}

/** Two states of a directory have different ones; of its times it has the one that no program can set. */
export type DirectoryStamp = Pick<Stats, "dev" | "ino" | "ctimeMs">;

/** The stored form of the directories below one. */
interface StoredJson {
	/** See `bootId`. */
	readonly boot: string;
	/** Those that are not in another one of them, with their paths below that one. */
	readonly directories: readonly StoredDirectory[];
}

/** `directories`: those in it that are known, and the names of the others. */
type StoredDirectory = readonly [
	name: string,
	dev: number,
	ino: number,
	ctimeMs: number,
	sessions: readonly string[],
	directories: readonly (StoredDirectory | string)[],
];

/** The directories below a directory, by path, as text. */
export function directoriesToJson(top: string, known: ReadonlyMap<string, KnownDirectory>, boot: string): string {
	const store = (path: string, name: string, { stamp, listing }: KnownDirectory): StoredDirectory => {
		const directories = listing.directories.map((one) => {
			const below = `${path}${sep}${one}`;
			const found = known.get(below);
			return found === undefined ? one : store(below, one, found);
		});
		return [name, stamp.dev, stamp.ino, stamp.ctimeMs, listing.sessions, directories];
	};
	const directories: StoredDirectory[] = [];
	for (const [path, one] of known)
		if (path === top || !known.has(dirname(path))) directories.push(store(path, path.slice(top.length), one));
	const stored: StoredJson = { boot, directories };
	return JSON.stringify(stored);
}

/** Reads what `directoriesToJson` wrote; nothing if that was another time that the system ran. */
export function directoriesFromJson(top: string, text: string, boot: string): Map<string, KnownDirectory> {
	const known = new Map<string, KnownDirectory>();
	// If it is damaged, all directories are read again.
	const stored = attempt(() => JSON.parse(text) as StoredJson);
	const add = (path: string, [, dev, ino, ctimeMs, sessions, below]: StoredDirectory): void => {
		const directories = below.map((one) => (typeof one === "string" ? one : one[0]));
		known.set(path, { stamp: { dev, ino, ctimeMs }, listing: listingWith(directories, sessions) });
		for (const one of below) if (typeof one !== "string") add(`${path}${sep}${one[0]}`, one);
	};
	if (stored?.boot === boot) for (const one of stored.directories) add(top + one[0], one);
	return known;
}
