import type { Steps } from "../../shared/steps.ts";
import { HashSet } from "./hash-set.ts";
import type { NumbersTable } from "./numbers-table.ts";

/**
 * Which paid entries are counted for some session, so that none is counted for two. The index is the truth: what is in
 * memory is read from it again when sessions have come or gone, or another browser has counted.
 */
export class CostOwners {
	readonly #table: NumbersTable;
	#hashes = new HashSet();
	#signature = "";

	constructor(table: NumbersTable) {
		this.#table = table;
	}

	/** The hashes of all entries that are counted. */
	get hashes(): HashSet {
		return this.#hashes;
	}

	/**
	 * Brings it up to date, in steps. Sessions that count what an earlier one counts too (two browsers did it at the same
	 * time), or leave to others what none of them counts, are forgotten, so that they are counted again; returns their ids.
	 */
	*refresh(): Steps<readonly number[]> {
		const signature = this.#table.signature();
		if (signature === this.#signature) return [];
		this.#hashes = new HashSet();
		const wrong: number[] = [];
		for (const session of this.#table.hashes("own")) {
			if (!session) yield;
			else if (session.hashes.some((hash) => this.#hashes.has(hash))) wrong.push(session.id);
			else this.#hashes.addAll(session.hashes);
		}
		for (const session of this.#table.hashes("others")) {
			if (!session) yield;
			else if (!session.hashes.every((hash) => this.#hashes.has(hash))) wrong.push(session.id);
		}
		if (wrong.length > 0) this.#table.forget(wrong);
		// Only now: what was ended in its middle is begun again.
		this.#signature = signature;
		return wrong;
	}
}
