import { FoundBefore } from "./found-before.ts";
import { KeptFilters } from "./kept-filters.ts";
import type { LazyBlock, SearchableSession, TextReader } from "./text-reader.ts";

/** So much of the first tier is kept in memory by all threads together, in bytes: that of some thousand sessions. */
const MAX_KEPT_BYTES = 128 * 1024 * 1024;
/** So much of the second tier's filters: those of some gigabytes of sessions. */
const MAX_FILTER_BYTES = 40 * 1024 * 1024;

interface KeptSession {
	readonly version: string;
	readonly bytes: number;
	readonly blocks: readonly { readonly seq: number; readonly block: LazyBlock }[];
}

/**
 * The first tier of the newest sessions, in memory from the first search on: reading it from the index at every key would
 * take longer than searching it. What does not fit is read when it is needed.
 */
export class KeptText {
	/** What earlier searches have found out. */
	readonly foundBefore = new FoundBefore();
	readonly filters: KeptFilters;
	readonly #reader: TextReader;
	readonly #maxBytes: number;
	readonly #sessions = new Map<number, KeptSession>();
	#bytes = 0;

	/** `parts`: how many threads share the memory. */
	constructor(reader: TextReader, parts: number) {
		this.#reader = reader;
		this.#maxBytes = MAX_KEPT_BYTES / parts;
		this.filters = new KeptFilters(reader, MAX_FILTER_BYTES / parts);
	}

	has(session: number): boolean {
		return this.#sessions.has(session);
	}

	get(session: number): KeptSession["blocks"] {
		return this.#sessions.get(session)?.blocks ?? [];
	}

	/** Reads what is missing or has changed; newest first, as far as there is room. */
	*load(sessions: readonly SearchableSession[]): Generator<void, void, undefined> {
		const there = new Map(sessions.map((session) => [session.id, session.version]));
		for (const [id, { version }] of this.#sessions) if (there.get(id) !== version) this.#drop(id);
		for (const { id, version } of sessions) {
			if (this.#sessions.has(id)) continue;
			if (this.#bytes >= this.#maxBytes) return;
			const blocks = this.#reader.blocksOf(id, 1);
			const bytes = blocks.reduce((sum, { block }) => sum + block.text.length, 0);
			this.#sessions.set(id, { version, bytes, blocks });
			this.#bytes += bytes;
			yield;
		}
	}

	#drop(id: number): void {
		this.#bytes -= this.#sessions.get(id)?.bytes ?? 0;
		this.#sessions.delete(id);
	}
}
