import type { Steps } from "../../shared/steps.ts";
import type { NumbersTable } from "./numbers-table.ts";

/**
 * The entries that are counted for some session, those that are paid or report runs, so that none counts for two. The index is authoritative: the
 * copy in memory is reread after sessions were added or removed, or another browser has counted.
 */
export class CostOwners {
	readonly #table: NumbersTable;
	#hashes = new Set<number>();
	#signature = "";

	constructor(table: NumbersTable) {
		this.#table = table;
	}

	get hashes(): Set<number> {
		return this.#hashes;
	}

	/**
	 * Brings the hashes up to date, in steps. Forgets the numbers of sessions that count what an earlier one also counts
	 * (two browsers counted at the same time), and of those that leave to others what no session counts. Returns their
	 * ids, so that they are counted again.
	 */
	*refresh(): Steps<readonly number[]> {
		const signature = this.#table.signature();
		if (signature === this.#signature) return [];
		this.#hashes = new Set<number>();
		const doubled: number[] = [];
		const wrong: number[] = [];
		for (const session of this.#table.hashes("own")) {
			if (!session) yield;
			else if (session.hashes.some((hash) => this.#hashes.has(hash))) doubled.push(session.id);
			else for (const hash of session.hashes) this.#hashes.add(hash);
		}
		for (const session of this.#table.hashes("others")) {
			if (!session) yield;
			else if (!session.hashes.every((hash) => this.#hashes.has(hash))) wrong.push(session.id);
		}
		if (wrong.length + doubled.length > 0) this.#table.forget(wrong, doubled);
		// Set last, so that an interrupted refresh starts again.
		this.#signature = signature;
		return [...wrong, ...doubled];
	}
}
