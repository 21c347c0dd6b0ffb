import { lstatSync, type Stats } from "node:fs";
import {
	type DirectoryStamp,
	directoriesFromJson,
	directoriesToJson,
	type KnownDirectory,
} from "./directories-json.ts";
import { bootId, isExact } from "./exact-times.ts";
import type { Listing, ListingOf } from "./listing.ts";

/**
 * A directory that has not been changed for so long, in ms, has another time after any later change: file systems count in steps of
 * two seconds at most, and clocks are not set back by more unless somebody does it.
 */
const SETTLED_MS = 10_000;

/** Reads a directory. `isPlain`: there is nothing in it that has to be looked at each time, and it could be read. */
export type ReadDirectory = (directory: string) => { readonly listing: Listing; readonly isPlain: boolean };

/**
 * The directories of runs as they were read: asking whether one has changed takes a quarter of the time of reading it, and each
 * run has two. One is only taken as known if nothing that was changed in it since can have escaped: on a file system that keeps
 * exact times, as long as the operating system has not been started again, and if it had not been changed just before. All others
 * are read.
 */
export class KnownDirectories {
	/** What is stored, by the directory that they are below. */
	readonly #stored: ReadonlyMap<string, string>;
	readonly #boot = bootId();
	readonly #now: () => number;
	/** By the same directory, then by path. */
	readonly #known = new Map<string, ReadonlyMap<string, KnownDirectory>>();
	readonly #changed = new Set<string>();
	readonly #searched = new Set<string>();

	/** `stored`: what `changes` has returned, by directory; `now`: the time in Unix ms. */
	constructor(stored: ReadonlyMap<string, string> = new Map(), now: () => number = Date.now) {
		this.#stored = stored;
		this.#now = now;
	}

	/** Begins to search below a directory. Call `end` once all there was asked for. */
	search(top: string, read: ReadDirectory): { readonly listingOf: ListingOf; readonly end: () => void } {
		this.#searched.add(top);
		if (this.#boot === undefined) return { listingOf: (path) => read(path).listing, end: () => undefined };
		const before = this.#knownBelow(top, this.#boot);
		const settled = this.#now() - SETTLED_MS;
		const found = new Map<string, KnownDirectory>();
		let isSame = true;
		const listingOf = (path: string): Listing => {
			// Before it is read: what is changed in between has a later time.
			const stats = statsOf(path);
			const known = before.get(path);
			if (stats !== undefined && known !== undefined && isSameState(known.stamp, stats)) {
				found.set(path, known);
				return known.listing;
			}
			const { listing, isPlain } = read(path);
			if (stats === undefined || !isPlain || stats.ctimeMs >= settled || !isExact(path, stats)) return listing;
			const { dev, ino, ctimeMs } = stats;
			found.set(path, { stamp: { dev, ino, ctimeMs }, listing });
			isSame = false;
			return listing;
		};
		const end = (): void => {
			if (!isSame || found.size !== before.size) this.#set(top, found);
		};
		return { listingOf, end };
	}

	/** Everything was searched: what is known below other directories is of some that are gone. */
	forgetOthers(): void {
		for (const top of new Set([...this.#stored.keys(), ...this.#known.keys()]))
			if (!this.#searched.has(top) && this.#known.get(top)?.size !== 0) this.#set(top, new Map());
		this.#searched.clear();
	}

	/** What is to be stored since the last call, by directory; an empty text for nothing. */
	changes(): ReadonlyMap<string, string> {
		const changes = [...this.#changed].map((top) => {
			const known = this.#known.get(top) ?? new Map();
			return [top, known.size === 0 ? "" : directoriesToJson(top, known, this.#boot ?? "")] as const;
		});
		this.#changed.clear();
		return new Map(changes);
	}

	#set(top: string, known: ReadonlyMap<string, KnownDirectory>): void {
		this.#known.set(top, known);
		this.#changed.add(top);
	}

	#knownBelow(top: string, boot: string): ReadonlyMap<string, KnownDirectory> {
		let known = this.#known.get(top);
		if (known === undefined) {
			const text = this.#stored.get(top);
			known = text === undefined ? new Map() : directoriesFromJson(top, text, boot);
			this.#known.set(top, known);
		}
		return known;
	}
}

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch {
		// Reading it says why.
		return undefined;
	}
}

function isSameState(one: DirectoryStamp, other: DirectoryStamp): boolean {
	return one.ctimeMs === other.ctimeMs && one.ino === other.ino && one.dev === other.dev;
}
