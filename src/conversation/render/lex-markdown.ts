import { Lexer, type Token, Tokenizer, type Tokens } from "marked";

/** Quotes, lists and emphasis within one another; what is deeper is text. */
const DEEPEST = 50;

/** UTF-16 units that are looked through for the ends of emphasis and links in one text: enough for any prose. */
const LOOKED_THROUGH = 2_000_000;

/** UTF-16 units in which an address ends, and those in which the end of plain text is looked for at a time. */
const LONGEST_ADDRESS = 1024;
const TEXT_PART = 256;

/** The blocks of a clean Markdown text. */
export function lexMarkdown(text: string): readonly Token[] {
	return new Lexer({ gfm: true, tokenizer: new BoundedTokenizer() }).lex(text);
}

/** Marked's own rules, without the texts that take it a time that grows with the square of their length, or its stack. */
class BoundedTokenizer extends Tokenizer {
	#depth = 0;
	#left = LOOKED_THROUGH;

	override blockquote(src: string): Tokens.Blockquote | undefined {
		return this.#deeper(() => super.blockquote(src));
	}

	override list(src: string): Tokens.List | undefined {
		return this.#deeper(() => super.list(src));
	}

	override link(src: string): Tokens.Link | Tokens.Image | undefined {
		return this.#lookThrough(src, () => super.link(src));
	}

	override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
		return this.#lookThrough(src, () => super.emStrong(src, maskedSrc, prevChar));
	}

	override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
		return this.#lookThrough(src, () => super.del(src, maskedSrc, prevChar));
	}

	/** What may be the name in a mail address is looked through to its end at each place in it. */
	override url(src: string): Tokens.Link | undefined {
		return super.url(src.slice(0, LONGEST_ADDRESS));
	}

	/** The lexer makes one text of the parts. */
	override inlineText(src: string): Tokens.Text | undefined {
		return super.inlineText(src.slice(0, TEXT_PART));
	}

	/** A second definition of the same name would be left out of the tokens: it is text. */
	override def(src: string): Tokens.Def | undefined {
		const token = super.def(src);
		return token !== undefined && token.tag in this.lexer.tokens.links ? undefined : token;
	}

	#lookThrough<Found>(src: string, find: () => Found | undefined): Found | undefined {
		if (src.length > this.#left) return undefined;
		this.#left -= src.length;
		return this.#deeper(find);
	}

	#deeper<Found>(find: () => Found | undefined): Found | undefined {
		if (this.#depth >= DEEPEST) return undefined;
		this.#depth++;
		try {
			return find();
		} finally {
			this.#depth--;
		}
	}
}
