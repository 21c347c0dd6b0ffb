import { bare, compose, fold } from "./fold.ts";
import { KINDS, type Kind } from "./kinds.ts";

/** The texts of one entry as plain data, which can be sent to another thread: kind, text, tool. */
export type EntryTexts = readonly (readonly [kind: Kind, text: string, tool: string])[];

/** A piece of searchable text of one entry. Its folded forms are made once, when they are first needed. */
export class SearchText {
	readonly kind: Kind;
	/** As it is written in the session. */
	readonly text: string;
	/** The folded name of the tool whose arguments or output this is; "" for other text. */
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

	/** The form that words with accents are compared with. */
	get folded(): string {
		this.#folded ??= fold(this.text);
		return this.#folded;
	}

	/** The form that words without accents are compared with. */
	get bare(): string {
		this.#bare ??= bare(this.folded);
		return this.#bare;
	}

	/** The form that patterns are compared with. */
	get composed(): string {
		return compose(this.text);
	}
}
