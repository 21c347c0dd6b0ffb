import { closeSync, statSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import type { TimeSlice } from "../../shared/steps.ts";
import { type OpenFile, openFile } from "../../store/files/open-file.ts";
import { isFileError } from "../../store/files/store-error.ts";
import { forkedFrom } from "../../store/format/raw-entry.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { IndexReader } from "../index/open-index.ts";
import type { SessionCounts } from "../model/counts.ts";
import { originsOf } from "../model/run-place.ts";
import { cacheDirOf, findSessionRoots, type ListOptions, rootOf } from "../model/session-roots.ts";
import { SessionCount } from "./count-session.ts";
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
	const inherited = new Inherited(timeSlice);
	return countsFor(paths, options, (path, stored) => countOne(path, stored, inherited));
}

/** The counts of some sessions, by path, as far as these are up to date. No session is read. */
export function knownCounts(
	paths: Iterable<string>,
	options: ListOptions,
): Promise<ReadonlyMap<string, SessionCounts>> {
	return countsFor(paths, options, (path, stored) => {
		const file = attempt(() => statSync(path));
		return file && stored({ path, size: file.size, mtimeMs: file.mtimeMs });
	});
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

async function countOne(path: string, stored: CountLookup, inherited: Inherited): Promise<SessionCounts | undefined> {
	try {
		const file = openFile(path);
		try {
			const { size, mtimeMs } = file.stats;
			const counts = stored({ path, size, mtimeMs });
			if (counts !== undefined) return counts;
			return (await inherited.count(path, file))?.numbers.counts;
		} finally {
			closeSync(file.fd);
		}
	} catch (error) {
		// Deleted, locked or broken since it was listed.
		if (isFileError(error)) return undefined;
		throw error;
	}
}

/** Counts files, and first those from which they were forked: what they have of these is not theirs. */
class Inherited {
	readonly #timeSlice: TimeSlice;
	/** The hashes of entries of sessions with forks, by path; undefined while they are read. */
	readonly #hashes = new Map<string, ReadonlySet<number> | undefined>();

	constructor(timeSlice: TimeSlice) {
		this.#timeSlice = timeSlice;
	}

	async count(path: string, file: OpenFile): Promise<StoredNumbers | undefined> {
		const { size, mtimeMs } = file.stats;
		const parent = forkedFrom(readHeader(path) ?? {});
		let inherited: ReadonlySet<number> | undefined;
		for (const origin of parent === undefined ? [] : originsOf(path, parent))
			inherited ??= await this.#hashesIn(origin);
		// `reports-in.ts` needs zod, which is loaded only for counting.
		const { reportsIn } = await import("../families/reports-in.ts");
		const session = { id: 0, path, size, mtimeMs, origins: [] };
		const alone = { earlier: undefined, inherited, owners: new Set<number>() };
		const count = new SessionCount({ ...alone, session, file, buffer: Buffer.allocUnsafe(CHUNK_BYTES), reportsIn });
		await this.#timeSlice.run(count.steps());
		return count.finish();
	}

	/** The hashes of a session's entries; undefined if there is no session, or it cannot be read. */
	async #hashesIn(path: string): Promise<ReadonlySet<number> | undefined> {
		if (this.#hashes.has(path)) return this.#hashes.get(path);
		// Damaged sessions may be forked from each other.
		this.#hashes.set(path, undefined);
		const file = attempt(() => openFile(path));
		if (file === undefined) return undefined;
		try {
			const hashes = (await this.count(path, file))?.own;
			this.#hashes.set(path, new Set(hashes));
		} finally {
			closeSync(file.fd);
		}
		return this.#hashes.get(path);
	}
}
