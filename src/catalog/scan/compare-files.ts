import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import { archiveOf, rootOf, type SessionRoots } from "../model/session-roots.ts";
import { KnownDirectories, type ReadDirectory } from "./known-directories.ts";
import { type Listing, lastRead, listingOf, NOTHING_LISTED } from "./listing.ts";
import { directoriesForRuns, type RunDirectory, runDirectories } from "./run-directories.ts";
import { isUnchanged, type ScanStamp, scanStampOf } from "./scan-stamp.ts";
import { SessionsElsewhere } from "./session-elsewhere.ts";
import { isGone, isPlain, newestFirst, pathsElsewhere, projectDirectories, type SessionFile } from "./session-files.ts";
import { REPLACEMENT } from "./unlisted-names.ts";

/** The known files, newest first, if they are the "same" (`compareFiles`); undefined otherwise. Never throws. */
export function unchangedFiles(
	sessionRoots: SessionRoots,
	known: ReadonlyMap<string, ScanStamp>,
	directories: KnownDirectories,
): readonly SessionFile[] | undefined {
	if (compareFiles(sessionRoots, known, directories) !== "same") return undefined;
	const realDirectories = new Map<string, string>();
	const realOf = (directory: string): string => {
		const real = realDirectories.get(directory) ?? realpathSync.native(directory);
		realDirectories.set(directory, real);
		return real;
	};
	try {
		// No known file is a link.
		const files = known.entries().map(([path, stamp]): SessionFile => {
			const end = path.lastIndexOf(sep);
			return { path, realpath: realOf(path.slice(0, end)) + path.slice(end), ...scanStampOf(stamp) };
		});
		return newestFirst(files);
	} catch {
		// A directory is gone meanwhile.
		return undefined;
	}
}

/**
 * Compares the disk with the files that are known, by path: "same" if `findSessionFiles` would find just these, unchanged, and
 * report nothing; "changed" if it would not; "unclear" if there is anything that only `findSessionFiles` can tell, such as a link
 * or an error. Takes half as long, because it ends at the first difference and keeps nothing. Never throws.
 */
export function compareFiles(
	sessionRoots: SessionRoots,
	known: ReadonlyMap<string, ScanStamp>,
	directories = new KnownDirectories(),
): "same" | "changed" | "unclear" {
	const [root, archive] = [rootOf(sessionRoots), archiveOf(sessionRoots)];
	try {
		// An archive that is a link to the root has the same directories, which would be read twice.
		if (realpathSync.native(root) === realIfThere(archive)) return "unclear";
		let count = 0;
		const visited = new Set<string>();
		const compareRuns = ({ path, isSession }: RunDirectory, listing: Listing) => {
			if (visited.has(path)) return 0;
			visited.add(path);
			return compareIn(path, listing.sessions.filter(isSession), known);
		};
		const projects = projectDirectories(sessionRoots);
		if (!projects.every(({ isNear }) => isNear)) return "unclear";
		const flat = new Set([
			...(sessionRoots.kind === "custom" ? [root, archive] : []),
			...projects.map(({ path }) => path),
		]);
		for (const place of new Set([root, archive, ...flat])) {
			const inPlace = flat.has(place) ? [place] : realDirectoriesIn(place);
			if (inPlace === undefined) return "unclear";
			for (const directory of inPlace) {
				const names = namesIn(directory);
				const files = names.filter((name) => name.endsWith(".jsonl"));
				const found = compareIn(directory, files, known);
				if (typeof found !== "number") return found;
				count += found;
				visited.add(directory);
				if (files.length === names.length) continue;
				const listingIn = lastRead(directories.search(directory, readPlain).listingOf);
				for (const runs of runDirectories(directory, new Set(files), listingIn)) {
					const found = compareRuns(runs, listingIn(runs.path));
					if (typeof found !== "number") return found;
					count += found;
				}
			}
		}
		for (const directory of sessionRoots.runDirs ?? []) {
			const listingIn = lastRead(directories.search(directory, readPlain).listingOf);
			for (const runs of directoriesForRuns(directory, listingIn)) {
				const found = compareRuns(runs, listingIn(runs.path));
				if (typeof found !== "number") return found;
				count += found;
			}
		}
		if (count === known.size) return "same";
		const others = compareElsewhere(sessionRoots, known);
		if (typeof others !== "number") return others;
		return count + others === known.size ? "same" : "changed";
	} catch {
		return "unclear";
	}
}

/** The number of the known files outside of all searched directories, if all of them are unchanged. Throws. */
function compareElsewhere(
	sessionRoots: SessionRoots,
	known: ReadonlyMap<string, ScanStamp>,
): number | "changed" | "unclear" {
	const paths = pathsElsewhere(sessionRoots, known.keys());
	const elsewhere = paths.length > 0 ? new SessionsElsewhere(rootOf(sessionRoots)) : undefined;
	for (const path of paths) {
		const stamp = elsewhere?.stampOf(path);
		if (stamp === "far") return "unclear";
		if (stamp === undefined || !isUnchanged(known.get(path), stamp)) return "changed";
	}
	return paths.length;
}

/** The number of these files in a directory, if all of them are regular files, known and unchanged. Throws. */
function compareIn(
	directory: string,
	names: readonly string[],
	known: ReadonlyMap<string, ScanStamp>,
): number | "changed" | "unclear" {
	for (const name of names) {
		const path = `${directory}${sep}${name}`;
		// Not following links: a link is never what is known, which is its target.
		const stats = lstatSync(path);
		// A second name of a file is reported. The names are not compared, because they may be outside.
		if (!stats.isFile() || stats.nlink > 1) return "unclear";
		const before = known.get(path);
		if (before === undefined || !isUnchanged(before, stats)) return "changed";
	}
	return names.length;
}

/** The directories in a directory; undefined if there are links, which may lead to directories. Throws. */
function realDirectoriesIn(directory: string): string[] | undefined {
	const entries = ifThere(() => readdirSync(directory, { withFileTypes: true })) ?? [];
	if (entries.some((entry) => entry.isSymbolicLink() || entry.name.includes(REPLACEMENT))) return undefined;
	return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${directory}${sep}${name}`);
}

/** What is in a directory; nothing if it is missing. Throws. */
function readPlain(directory: string): ReturnType<ReadDirectory> {
	const entries = ifThere(() => readdirSync(directory, { withFileTypes: true }));
	if (entries === undefined) return { listing: NOTHING_LISTED, isPlain: false };
	const listing = listingOf(entries);
	return { listing, isPlain: isPlain(listing, entries) };
}

/** The names in a directory; none if it is missing. Throws. */
function namesIn(directory: string): readonly string[] {
	return ifThere(() => readdirSync(directory)) ?? [];
}

function realIfThere(path: string): string | undefined {
	return ifThere(() => realpathSync.native(path));
}

/** Undefined if the path does not exist. */
function ifThere<Result>(action: () => Result): Result | undefined {
	try {
		return action();
	} catch (error) {
		if (isGone(error)) return undefined;
		throw error;
	}
}
