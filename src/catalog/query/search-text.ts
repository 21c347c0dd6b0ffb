import { compose, fold } from "./fold.ts";
import { KINDS, type Kind } from "./kinds.ts";

/** A piece of searchable text of one entry; what comparing needs of it is made once, when it is first needed. */
export class SearchText {
	readonly kind: Kind;
	/** As it is written in the session. */
	readonly text: string;
	/** The tool that was called, folded, for its arguments and its output; "" for other text. */
	readonly tool: string;
	#folded: string | undefined;

	constructor(kind: Kind, text: string, tool = "") {
		this.kind = kind;
		this.text = text;
		this.tool = fold(tool);
	}

	/** Its kind as a bit mask. */
	get bit(): number {
		return KINDS[this.kind].bit;
	}

	/** As words are compared with it. */
	get folded(): string {
		this.#folded ??= fold(this.text);
		return this.#folded;
	}

	/** As patterns are compared with it. */
	get composed(): string {
		return compose(this.text);
	}
}
