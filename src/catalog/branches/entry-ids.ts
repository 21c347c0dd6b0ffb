import { numberColumn } from "./column.ts";
import { textHash } from "./text-hash.ts";

/** Length of pi's own ids, which are hexadecimal. */
const ID_LENGTH = 8;
/** Stands for a missing id. */
const NONE = -1;
const FIRST_SLOTS = 64;

/** The ids of a session's entries in file order, as numbers, because a session may have a million of them. */
export class EntryIds {
	readonly #keys = numberColumn();
	/** Hash table: the last index of a key plus one; 0 is a free slot. */
	#slots = new Int32Array(FIRST_SLOTS);
	#used = 0;

	get length(): number {
		return this.#keys.length;
	}

	/** Adds the next entry's id; returns whether an earlier entry has the same one. */
	push(id: string | undefined): boolean {
		const key = id === undefined ? NONE : keyOf(id);
		this.#keys.push(key);
		if (key === NONE) return false;
		const at = this.#find(key);
		const known = this.#slots[at] !== 0;
		this.#slots[at] = this.#keys.length;
		if (!known) this.#used += 1;
		if (this.#used * 3 > this.#slots.length * 2) this.#grow();
		return known;
	}

	/** The last entry with this id so far; -1 if there is none. */
	lastOf(id: string): number {
		return this.lastOfKey(keyOf(id));
	}

	/** The same by the key of the id. */
	lastOfKey(key: number): number {
		return (this.#slots[this.#find(key)] ?? 0) - 1;
	}

	/** The last entry with the same id as the one at this index. */
	lastAs(index: number): number {
		const key = this.#keys.at(index);
		return key === NONE ? index : this.lastOfKey(key);
	}

	#find(key: number): number {
		const mask = this.#slots.length - 1;
		// Mixed, because consecutive ids would cluster.
		let at = Math.imul(key | 0, 0x9e3779b1) & mask;
		for (;;) {
			const index = this.#slots[at] ?? 0;
			if (index === 0 || this.#keys.at(index - 1) === key) return at;
			at = (at + 1) & mask;
		}
	}

	#grow(): void {
		const old = this.#slots;
		this.#slots = new Int32Array(old.length * 2);
		for (const index of old) if (index !== 0) this.#slots[this.#find(this.#keys.at(index - 1))] = index;
	}
}

/** A number for an id: pi's own ids are numbers already, others become hashes below -1. */
export function keyOf(id: string): number {
	return hexOf(id) ?? -1 - textHash(id);
}

/** The value of one of pi's own ids; undefined for others. Parsed by hand for speed: each line of each session needs it. */
function hexOf(id: string): number | undefined {
	if (id.length !== ID_LENGTH) return undefined;
	let number = 0;
	for (let at = 0; at < ID_LENGTH; at++) {
		const code = id.charCodeAt(at);
		if (code >= 0x30 && code <= 0x39) number = number * 16 + code - 0x30;
		else if (code >= 0x61 && code <= 0x66) number = number * 16 + code - 0x57;
		else return undefined;
	}
	return number;
}
