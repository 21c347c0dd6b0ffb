import type { Tone } from "../../ui/text/line.ts";
import type { MarkdownBlock } from "./read-markdown.ts";

/** A piece of code with one tone; joined, all pieces are the code. */
export interface CodePart {
	readonly text: string;
	/** Undefined for ordinary code. */
	readonly tone: Tone | undefined;
}

/** Lines, or parts of a line, that two texts have in common or that only one of them has. */
export interface TextChange {
	readonly kind: "same" | "removed" | "added";
	/** Lines, or UTF-16 units. */
	readonly count: number;
}

/** The libraries for Markdown, code and diffs, as pure functions. Without them, text is drawn plain. */
export interface Renderers {
	/** `breaks`: whether the line ends within a paragraph stay. */
	readMarkdown(text: string, breaks?: boolean): readonly MarkdownBlock[];
	/** The parts of code; undefined if the language (a name or a file extension) is not known. */
	highlightCode(code: string, language: string): readonly CodePart[] | undefined;
	/** The changes from one list of lines to another; undefined if more than `most` lines differ. @default as many as there is time for */
	compareLines(before: readonly string[], after: readonly string[], most?: number): readonly TextChange[] | undefined;
	/** The changes from one line to another, word by word; undefined if too much differs. */
	compareWords(before: string, after: string): readonly TextChange[] | undefined;
}

/** Loads the libraries, which are separate files of the bundle, so that the first screen does not wait for them. */
export async function loadRenderers(): Promise<Renderers> {
	const { readMarkdown } = await import("./read-markdown.ts");
	const { highlightCode } = await import("./highlight-code.ts");
	const { compareLines, compareWords } = await import("./compare-text.ts");
	return { readMarkdown, highlightCode, compareLines, compareWords };
}
