/** Length of pi's own ids, which are hexadecimal. */
const ID_LENGTH = 8;
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
		const isKnown = this.#slots[at] !== 0;
		this.#slots[at] = this.#keys.length;
		if (!isKnown) this.#used += 1;
		if (this.#used * 3 > this.#slots.length * 2) this.#grow();
		return isKnown;
	}

	/** The last entry with this id so far; -1 if there is none. */
	lastOf(id: string): number {
		return this.lastOfKey(keyOf(id));
	}

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

/** A 53-bit hash of a text (cyrb53, public domain), never 0: for distinguishing texts, not for security. */
export function textHash(text: string): number {
	let a = 0xdeadbeef;
	let b = 0x41c6ce57;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		a = Math.imul(a ^ code, 0x9e3779b1);
		b = Math.imul(b ^ code, 0x5f356495);
	}
	a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
	b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
	return (b & 0x1fffff) * 0x1_0000_0000 + (a >>> 0) || 1;
}

const PART_NUMBERS = 16 * 1024;
const SHIFT = 14;
const FIRST_NUMBERS = 64;

type Numbers = Float64Array | Int32Array;

/** An append-only list of numbers, in parts, so that a long one is never copied as it grows. */
class Column {
	/** All but the last are full. */
	readonly #parts: Numbers[] = [];
	readonly #make: (length: number) => Numbers;
	#length = 0;

	/** `make`: creates an array of a type that the numbers fit in. */
	constructor(make: (length: number) => Numbers) {
		this.#make = make;
	}

	get length(): number {
		return this.#length;
	}

	push(value: number): void {
		const at = this.#length & (PART_NUMBERS - 1);
		let part = this.#parts[this.#length >> SHIFT];
		if (!part || at === part.length) {
			const larger = this.#make(Math.min(PART_NUMBERS, Math.max(FIRST_NUMBERS, at * 2)));
			if (part) larger.set(part);
			this.#parts[this.#length >> SHIFT] = larger;
			part = larger;
		}
		part[at] = value;
		this.#length += 1;
	}

	/** 0 beyond the end. */
	at(index: number): number {
		return this.#parts[index >> SHIFT]?.[index & (PART_NUMBERS - 1)] ?? 0;
	}

	set(index: number, value: number): void {
		const part = this.#parts[index >> SHIFT];
		if (part) part[index & (PART_NUMBERS - 1)] = value;
	}
}

export function numberColumn(): Column {
	return new Column((length) => new Float64Array(length));
}

/** A column of 32-bit integers: half as large. */
export function intColumn(): Column {
	return new Column((length) => new Int32Array(length));
}
