import type { Token } from "marked";
import type { Tone } from "../../ui/view.ts";

/** A piece of code of one kind; all pieces one after the other are the code. */
export interface CodePart {
	readonly text: string;
	/** Without one it is code like any other. */
	readonly tone: Tone | undefined;
}

/** Lines, or parts of a line, that two texts have in common or that only one of them has, in order. */
export interface Change {
	readonly kind: "same" | "removed" | "added";
	/** Lines, or UTF-16 units. */
	readonly count: number;
}

/** The libraries that read Markdown, code and changes, behind pure functions. Without them, text is drawn plain. */
export interface Renderers {
	/** The blocks of a clean Markdown text; never deeper than 50, in a time that grows with the length of the text alone. */
	lexMarkdown(text: string): readonly Token[];
	/** The parts of a code; undefined when the language is not known. `language` is a name or a file ending. */
	highlightCode(code: string, language: string): readonly CodePart[] | undefined;
	/** How one list of lines becomes another; undefined when they differ in too much to be compared in time. */
	compareLines(before: readonly string[], after: readonly string[]): readonly Change[] | undefined;
	/** How one line becomes another, word by word; undefined when they differ in too much. */
	compareWords(before: string, after: string): readonly Change[] | undefined;
}

/** Loads the libraries: parts of the program of their own, which its first screen does not wait for. */
export async function loadRenderers(): Promise<Renderers> {
	const { lexMarkdown } = await import("./lex-markdown.ts");
	const { highlightCode } = await import("./highlight-code.ts");
	const { compareLines, compareWords } = await import("./compare-text.ts");
	return { lexMarkdown, highlightCode, compareLines, compareWords };
}
