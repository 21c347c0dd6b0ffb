import { decodeHTMLStrict } from "entities/decode";
import type { MarkedToken, Token, Tokens } from "marked";
import type { Line, Span } from "../../ui/text/line.ts";
import { cleanLiteral } from "../../ui/text/sanitize.ts";

export type Style = Omit<Span, "text">;

/** The lines of prose: one, plus one for each line break. */
export function inlineLines(tokens: readonly Token[], style: Style): Line[] {
	const lines: Span[][] = [[]];
	for (const span of inlineSpans(tokens, style)) {
		if (span === "break") lines.push([]);
		else if (span.text !== "") lines.at(-1)?.push(span);
	}
	return lines;
}

function* inlineSpans(tokens: readonly Token[], style: Style): Generator<Span | "break", void> {
	for (const token of tokens) yield* spansOf(knownToken(token), style);
}

/** Narrows the type of a token: only extensions of the lexer make other tokens, and we have none. */
export function knownToken(token: Token): MarkedToken {
	return token as MarkedToken;
}

function* spansOf(token: MarkedToken, style: Style): Generator<Span | "break", void> {
	switch (token.type) {
		case "text":
			if (token.tokens === undefined) yield prose(decodeHTMLStrict(token.text), style);
			else yield* inlineSpans(token.tokens, style);
			return;
		case "escape":
			return yield prose(token.text, style);
		case "strong":
			return yield* inlineSpans(token.tokens, { ...style, bold: true });
		case "em":
			return yield* inlineSpans(token.tokens, { ...style, italic: true });
		case "del":
			return yield* inlineSpans(token.tokens, { ...style, strike: true });
		case "codespan":
			return yield prose(token.text, { ...style, tone: "code" });
		case "br":
			return yield "break";
		case "checkbox":
			// The marker of the item shows it.
			return;
		case "html":
			if (LINE_BREAK.test(token.raw)) yield "break";
			else yield prose(token.raw, { ...style, tone: "muted" });
			return;
		case "link":
			return yield* linkSpans(token, style);
		case "image":
			yield prose("image ", { ...style, tone: "muted" });
			return yield* linkSpans(token, style);
		default:
			yield prose(token.raw, style);
	}
}

const LINE_BREAK = /^<br ?\/?>$/i;

/** A link or an image: its text, and its address unless the text says it. */
function* linkSpans(token: Tokens.Link | Tokens.Image, style: Style): Generator<Span | "break", void> {
	const { href, title, text, tokens } = token;
	const isLiteral = token.type === "link" && token.autolink === true;
	const address = isLiteral ? href : decodeHTMLStrict(href);
	const link = safeLink(address);
	const linked: Style = { ...style, tone: "link", ...(link === undefined ? {} : { link }) };
	const spans = inlineSpans(tokens, linked).toArray();
	yield* spans.length > 0 ? spans : [prose(text, linked)];
	const label = spans.map((span) => (span === "break" ? " " : span.text)).join("");
	const name = title ? ` "${decodeHTMLStrict(title)}"` : "";
	const isInLabel = label === address || `mailto:${label}` === address || `http://${label}` === address;
	if (isInLabel && name === "") return;
	yield prose(` (${isInLabel ? name.trim() : `${address}${name}`})`, { ...style, tone: "muted" });
}

/** Text with its line ends as spaces. */
function prose(text: string, style: Style): Span {
	return { ...style, text: cleanLiteral(text.replace(/ *\n */g, " ")) };
}

/** Longer addresses are not made links: a terminal may cut them anywhere. */
const MAX_ADDRESS = 2000;
const SAFE = /^(?:https?|file):\/\/[!-~]+$/i;

/** The address if it is safe as the target of a link in a terminal (http, https or file, only printable ASCII). */
export function safeLink(address: string): string | undefined {
	return address.length <= MAX_ADDRESS && SAFE.test(address) ? address : undefined;
}
