import { closeSync, existsSync, statSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import type { TimeSlice } from "../../shared/steps.ts";
import { openFile } from "../../store/files/open-file.ts";
import { isFileError } from "../../store/files/store-error.ts";
import { forkedFrom } from "../../store/format/raw-entry.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { IndexReader } from "../index/open-index.ts";
import type { SessionCounts } from "../model/counts.ts";
import { originsOf } from "../model/run-place.ts";
import { cacheDirOf, findSessionRoots, type ListOptions, rootOf } from "../model/session-roots.ts";
import { countSession } from "./count-session.ts";
import { storedCounts } from "./numbers-table.ts";
import type { StoredNumbers } from "./session-tally.ts";

/**
 * The counts of some sessions, by path: from the index if they are up to date there, else by reading the file. Nothing is
 * written. A session that cannot be read is left out.
 */
export function countSome(
	paths: Iterable<string>,
	options: ListOptions,
	timeSlice: TimeSlice,
): Promise<ReadonlyMap<string, SessionCounts>> {
	const files = new FileCounts(timeSlice);
	return countsFor(paths, options, (path, stored) => known(path, stored) ?? files.of(path));
}

/** The counts of some sessions, by path, as far as these are up to date. No session is read. */
export function knownCounts(
	paths: Iterable<string>,
	options: ListOptions,
): Promise<ReadonlyMap<string, SessionCounts>> {
	return countsFor(paths, options, known);
}

async function countsFor(
	paths: Iterable<string>,
	options: ListOptions,
	countsOf: (path: string, stored: CountLookup) => Promise<SessionCounts | undefined> | SessionCounts | undefined,
): Promise<ReadonlyMap<string, SessionCounts>> {
	const counts = new Map<string, SessionCounts>();
	const root = rootOf(await findSessionRoots(options));
	const index = await IndexReader.open(cacheDirOf(options));
	try {
		const lookup = index.read((db) => storedCounts(db, root));
		for (const path of paths) {
			const one = await countsOf(path, (file) => index.read(() => lookup?.(file)));
			if (one !== undefined) counts.set(path, one);
		}
	} finally {
		index.close();
	}
	return counts;
}

type CountLookup = ReturnType<typeof storedCounts>;

/** The counts of a session if they are up to date. */
function known(path: string, stored: CountLookup): SessionCounts | undefined {
	const file = attempt(() => statSync(path));
	return file && stored({ path, size: file.size, mtimeMs: file.mtimeMs });
}

/** Counts files, each as if there were no other session but that from which it was forked: what it has of this is not its own. */
class FileCounts {
	readonly #timeSlice: TimeSlice;
	/** The hashes of the entries of sessions that have forks, by path. */
	readonly #hashes = new Map<string, ReadonlySet<number>>();

	constructor(timeSlice: TimeSlice) {
		this.#timeSlice = timeSlice;
	}

	/** Undefined if the session cannot be read. */
	async of(path: string): Promise<SessionCounts | undefined> {
		const parent = attempt(() => forkedFrom(readHeader(path) ?? {}));
		const origin = parent === undefined ? undefined : originsOf(path, parent).find((one) => existsSync(one));
		const inherited = origin === undefined ? undefined : await this.#hashesIn(origin);
		return (await this.#count(path, inherited))?.numbers.counts;
	}

	async #hashesIn(path: string): Promise<ReadonlySet<number>> {
		const hashes = this.#hashes.get(path) ?? new Set((await this.#count(path, undefined))?.own);
		this.#hashes.set(path, hashes);
		return hashes;
	}

	async #count(path: string, inherited: ReadonlySet<number> | undefined): Promise<StoredNumbers | undefined> {
		// `reports-in.ts` needs zod, which is loaded only for counting.
		const { reportsIn } = await import("../families/reports-in.ts");
		try {
			const file = openFile(path);
			try {
				const options = { listed: file.stats, file, inherited, owners: new Set<number>(), reportsIn };
				const steps = countSession({ ...options, buffer: Buffer.allocUnsafe(CHUNK_BYTES) });
				return (await this.#timeSlice.run(steps)).stored;
			} finally {
				closeSync(file.fd);
			}
		} catch (error) {
			// Deleted, locked or broken since it was listed.
			if (isFileError(error)) return undefined;
			throw error;
		}
	}
}
