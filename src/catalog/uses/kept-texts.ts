import type { SearchText } from "../query/search-text.ts";

/** Characters of one text that are kept; what is longer is compared by its beginning. */
const KEPT_CHARS = 32_768;
/** Characters of all texts that are kept like that; of those that come later, the beginning alone. */
const ALL_KEPT_CHARS = 64 * 1024 * 1024;
const LATE_KEPT_CHARS = 200;

/** A text as it is kept. */
export interface KeptText {
	/** The text, or its beginning. */
	readonly text: string;
	/** Characters of the whole text. */
	readonly length: number;
	/** As it is compared, once it has been, and where it is not long: folding it anew with each letter of a filter costs two to five times as much. */
	compared?: SearchText;
}

/** The texts of all uses, each once, by their hash, in bounded memory: a session may hold any number of them, of any length. */
export class KeptTexts {
	readonly #texts = new Map<number, KeptText>();
	readonly #most: number;
	#kept = 0;

	/** `most`: characters of all texts together. */
	constructor(most = ALL_KEPT_CHARS) {
		this.#most = most;
	}

	keep(hash: number, text: string): void {
		if (this.#texts.has(hash)) return;
		const kept = text.slice(0, this.#kept < this.#most ? KEPT_CHARS : LATE_KEPT_CHARS);
		this.#kept += kept.length;
		this.#texts.set(hash, { text: unsliced(kept), length: text.length });
	}

	get(hash: number): KeptText | undefined {
		return this.#texts.get(hash);
	}
}

/** The same text without the longer one that it was cut from, which V8 would keep in memory with it. */
function unsliced(text: string): string {
	return String(JSON.parse(JSON.stringify(text)));
}
