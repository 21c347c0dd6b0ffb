import { bare, compose, fold } from "./fold.ts";
import { KINDS, type Kind } from "./kinds.ts";

/** The texts of one entry as plain data, which can be sent to another thread: kind, text, tool. */
export type EntryTexts = readonly (readonly [kind: Kind, text: string, tool: string])[];

/** A searchable text of an entry. Its folded forms are made on first use. */
export class SearchText {
	readonly kind: Kind;
	/** As written in the session. */
	readonly text: string;
	/** Folded name of the tool whose arguments or output this is; "" for other text. */
	readonly tool: string;
	#folded: string | undefined;
	#bare: string | undefined;

	constructor(kind: Kind, text: string, tool = "") {
		this.kind = kind;
		this.text = text;
		this.tool = fold(tool);
	}

	/** Its kind as a bit mask. */
	get bit(): number {
		return KINDS[this.kind].bit;
	}

	/** For comparing with words that have accents. */
	get folded(): string {
		this.#folded ??= fold(this.text);
		return this.#folded;
	}

	/** For comparing with words without accents. */
	get bare(): string {
		this.#bare ??= bare(this.folded);
		return this.#bare;
	}

	/** For matching patterns. */
	get composed(): string {
		return compose(this.text);
	}
}
