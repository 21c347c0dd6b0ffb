/** A part holds so many numbers. */
export const PART_NUMBERS = 16 * 1024;
const SHIFT = 14;
const FIRST_NUMBERS = 64;

/** Numbers that are only ever added, eight bytes each, in parts, so that a long column is never copied as it grows. */
export class NumberColumn {
	/** All are full but the last. */
	readonly #parts: Float64Array[] = [];
	#length = 0;

	get length(): number {
		return this.#length;
	}

	push(value: number): void {
		const at = this.#length & (PART_NUMBERS - 1);
		let part = this.#parts[this.#length >> SHIFT];
		if (!part || at === part.length) {
			const larger = new Float64Array(Math.min(PART_NUMBERS, Math.max(FIRST_NUMBERS, at * 2)));
			if (part) larger.set(part);
			this.#parts[this.#length >> SHIFT] = larger;
			part = larger;
		}
		part[at] = value;
		this.#length += 1;
	}

	/** 0 where there is none. */
	at(index: number): number {
		return this.#parts[index >> SHIFT]?.[index & (PART_NUMBERS - 1)] ?? 0;
	}

	/** Replaces a number that is there. */
	set(index: number, value: number): void {
		const part = this.#parts[index >> SHIFT];
		if (part) part[index & (PART_NUMBERS - 1)] = value;
	}

	/** The numbers of a part: PART_NUMBERS of them, except in the last. */
	part(index: number): Float64Array {
		const end = Math.min(PART_NUMBERS, this.#length - index * PART_NUMBERS);
		return this.#parts[index]?.subarray(0, end) ?? new Float64Array();
	}

	/** Adds a part that was had from `part`; all before it must have been full. */
	addPart(numbers: Float64Array): void {
		this.#parts.push(numbers);
		this.#length += numbers.length;
	}
}
