import type { Dirent } from "node:fs";

export interface DirectoryListing {
	/** The names that end as those of sessions do, of whatever is there. */
	readonly sessions: readonly string[];
	readonly links: ReadonlySet<string>;
	/** The names of the directories in it; no links, which might lead into a circle. */
	readonly directories: readonly string[];
}

export type ListingOf = (directory: string) => DirectoryListing;

const NO_LINKS: ReadonlySet<string> = new Set();

export function listingOf(entries: readonly Dirent[]): DirectoryListing {
	const sessions: string[] = [];
	const directories: string[] = [];
	let links: Set<string> | undefined;
	for (const entry of entries) {
		const { name } = entry;
		if (entry.isDirectory()) directories.push(name);
		if (!name.endsWith(".jsonl")) continue;
		sessions.push(name);
		if (!entry.isSymbolicLink()) continue;
		links ??= new Set();
		links.add(name);
	}
	return { sessions, links: links ?? NO_LINKS, directories };
}

/** Reads directories, but not twice in a row: the one of a run is read for its session, and for the runs below that. */
export function lastRead(read: ListingOf): ListingOf {
	let last: { readonly directory: string; readonly listing: DirectoryListing } | undefined;
	return (directory) => {
		if (last?.directory !== directory) last = { directory, listing: read(directory) };
		return last.listing;
	};
}
