import type { SearchText } from "../query/search-text.ts";

/** Characters kept of one text; longer ones are compared by their beginning. */
const KEPT_CHARS = 32_768;
/** Characters kept like that in all; of later texts, only the beginning. */
const ALL_KEPT_CHARS = 64 * 1024 * 1024;
const LATE_KEPT_CHARS = 200;

/** A text, or as much of it as is kept. */
export interface KeptText {
	/** The text, or its beginning. */
	readonly text: string;
	/** Characters of the whole text. */
	readonly length: number;
	/**
	 * The form for comparing, once made, unless the text is long: folding it again for each letter of a filter costs two to
	 * five times as much.
	 */
	compared?: SearchText;
}

/** The texts of all uses, each once, by hash, in bounded memory: sessions may hold any number of texts of any length. */
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

/** A copy of a text that does not refer to the longer one that it was cut from, which V8 would otherwise keep in memory. */
function unsliced(text: string): string {
	return String(JSON.parse(JSON.stringify(text)));
}
