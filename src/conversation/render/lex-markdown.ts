import { Lexer, type Token, Tokenizer, type Tokens } from "marked";

/** Nesting of quotations, lists and emphasis; what is deeper is text. */
const MAX_DEPTH = 50;

/** UTF-16 units in all that are searched for the ends of emphasis and links in one text: enough for any prose. */
const MAX_SEARCHED = 2_000_000;

/** UTF-16 units of an address, and those that are searched at a time for the end of plain text. */
const MAX_ADDRESS = 1024;
const TEXT_PART = 256;

export function lexMarkdown(text: string, breaks = false): readonly Token[] {
	return new Lexer({ gfm: true, breaks, tokenizer: new BoundedTokenizer() }).lex(text);
}

/** Marked's own rules, bounded for texts that would take quadratic time or overflow its stack. */
class BoundedTokenizer extends Tokenizer {
	#depth = 0;
	#left = MAX_SEARCHED;

	override blockquote(src: string): Tokens.Blockquote | undefined {
		return this.#deeper(() => super.blockquote(src));
	}

	override list(src: string): Tokens.List | undefined {
		return this.#deeper(() => super.list(src));
	}

	override link(src: string): Tokens.Link | Tokens.Image | undefined {
		return this.#search(src, () => super.link(src));
	}

	override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
		return this.#search(src, () => super.emStrong(src, maskedSrc, prevChar));
	}

	override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
		return this.#search(src, () => super.del(src, maskedSrc, prevChar));
	}

	/** Bounded, since marked reads what may be the name in a mail address to its end from every position in it. */
	override url(src: string): Tokens.Link | undefined {
		return super.url(src.slice(0, MAX_ADDRESS));
	}

	/** The lexer joins the parts into one text. */
	override inlineText(src: string): Tokens.Text | undefined {
		return super.inlineText(src.slice(0, TEXT_PART));
	}

	/** A second definition of the same name is text: marked would drop it from the tokens. */
	override def(src: string): Tokens.Def | undefined {
		const token = super.def(src);
		return token !== undefined && token.tag in this.lexer.tokens.links ? undefined : token;
	}

	#search<Found>(src: string, find: () => Found | undefined): Found | undefined {
		if (src.length > this.#left) return undefined;
		this.#left -= src.length;
		return this.#deeper(find);
	}

	#deeper<Found>(find: () => Found | undefined): Found | undefined {
		if (this.#depth >= MAX_DEPTH) return undefined;
		this.#depth++;
		try {
			return find();
		} finally {
			this.#depth--;
		}
	}
}
