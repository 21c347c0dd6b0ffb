/** Numbers per part. */
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

	/** Replaces an existing number. */
	set(index: number, value: number): void {
		const part = this.#parts[index >> SHIFT];
		if (part) part[index & (PART_NUMBERS - 1)] = value;
	}
}

/** A column of any numbers. */
export function numberColumn(): Column {
	return new Column((length) => new Float64Array(length));
}

/** A column of 32-bit integers: half as large. */
export function intColumn(): Column {
	return new Column((length) => new Int32Array(length));
}
