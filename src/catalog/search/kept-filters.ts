import type { BlockFilter } from "./candidates.ts";
import type { SearchableSession, TextReader } from "./text-reader.ts";

interface KeptSession {
	readonly version: string;
	readonly filters: readonly BlockFilter[];
	readonly bytes: number;
}

/**
 * The filters of the second tier, in memory once they have been needed: reading them at every key would take longer than
 * looking at them. What does not fit is read each time.
 */
export class KeptFilters {
	readonly #reader: TextReader;
	readonly #maxBytes: number;
	readonly #sessions = new Map<number, KeptSession>();
	#bytes = 0;

	constructor(reader: TextReader, maxBytes: number) {
		this.#reader = reader;
		this.#maxBytes = maxBytes;
	}

	get({ id, version }: SearchableSession): readonly BlockFilter[] {
		const kept = this.#sessions.get(id);
		if (kept?.version === version) return kept.filters;
		if (kept) {
			this.#bytes -= kept.bytes;
			this.#sessions.delete(id);
		}
		const filters = this.#reader.filters(id, 2);
		const bytes = filters.reduce((sum, { bits }) => sum + bits.length, 0);
		if (this.#bytes + bytes <= this.#maxBytes) {
			this.#sessions.set(id, { version, filters, bytes });
			this.#bytes += bytes;
		}
		return filters;
	}
}
