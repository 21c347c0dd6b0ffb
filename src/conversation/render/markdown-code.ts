import type { Token } from "marked";
import { cleanLines } from "../../ui/text/sanitize.ts";
import { CODE_TAB_STOP } from "./code-lines.ts";
import { knownToken } from "./markdown-inline.ts";
import type { MarkdownPiece } from "./markdown-pieces.ts";
import type { Renderers } from "./renderers.ts";

/** The code blocks of a piece of Markdown as they are written, in drawing order; undefined for one that is not certain. */
export function codesIn(
	{ text, lead, isPlain }: MarkdownPiece,
	renderers: Renderers,
): ReadonlyArray<string | undefined> {
	if (isPlain) return [];
	const drawn = [...codesOf(renderers.lexMarkdown(lead + cleanPiece(text)))];
	// The drawn text is cleaned before it is lexed and has no tabs.
	const written = [...codesOf(renderers.lexMarkdown(lead + text))];
	return drawn.map(({ text: shown }, index) => {
		const code = written.length === drawn.length ? written[index] : undefined;
		if (code === undefined || lettersOf(code.text) !== lettersOf(shown)) return undefined;
		// In a list the lexer turns tabs into spaces.
		return code.isInList && text.includes("\t") ? undefined : code.text;
	});
}

/** A piece cleaned for drawing: no raw escape sequence is left in it. */
export function cleanPiece(text: string): string {
	return cleanLines(text, CODE_TAB_STOP).join("\n");
}

interface Code {
	readonly text: string;
	readonly isInList: boolean;
}

function* codesOf(tokens: readonly Token[], isInList = false): Generator<Code, void> {
	for (const token of tokens.map(knownToken)) {
		if (token.type === "code") yield { text: token.text, isInList };
		else if (token.type === "blockquote") yield* codesOf(token.tokens, isInList);
		else if (token.type === "list") yield* token.items.values().flatMap(({ tokens: inner }) => codesOf(inner, true));
	}
}

/** The characters of code that cleaning leaves as they are. */
function lettersOf(code: string): string {
	return cleanPiece(code).replace(/\s+/g, "");
}
