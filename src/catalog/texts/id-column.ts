import { NumberColumn } from "./number-column.ts";

const HEX = /^[0-9a-f]{8}$/;
/** In the place of an id that is kept as text. */
const TEXT = -1;
/** In the place of an id that is missing. */
const NONE = -2;

/** Ids of entries. pi's are eight hexadecimal digits and are kept as numbers, which take a quarter of the memory. */
export class IdColumn {
	readonly numbers: NumberColumn;
	/** The ids that are no such number, by their place. */
	readonly texts: Map<number, string>;

	constructor(numbers = new NumberColumn(), texts = new Map<number, string>()) {
		this.numbers = numbers;
		this.texts = texts;
	}

	/** Takes the next id; "" where the file gives none. */
	push(id: string): void {
		const number = numberOf(id);
		if (number === TEXT) this.texts.set(this.numbers.length, id);
		this.numbers.push(number);
	}

	/** "" where there is none. */
	at(index: number): string {
		const number = index < 0 || index >= this.numbers.length ? NONE : this.numbers.at(index);
		if (number === TEXT) return this.texts.get(index) ?? "";
		return number === NONE ? "" : number.toString(16).padStart(8, "0");
	}

	/** The last place of an id; -1 when it is nowhere. */
	lastIndexOf(id: string): number {
		const number = numberOf(id);
		for (let index = this.numbers.length - 1; index >= 0; index--) {
			if (this.numbers.at(index) === number && (number !== TEXT || this.texts.get(index) === id)) return index;
		}
		return -1;
	}
}

function numberOf(id: string): number {
	if (id === "") return NONE;
	return HEX.test(id) ? Number.parseInt(id, 16) : TEXT;
}
