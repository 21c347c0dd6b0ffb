import { plainChunks, plainLine } from "./text-chunks.ts";

// Parts of a Markdown text in pieces: an entry may hold any amount of text. A piece may be empty, as a moment to do
// something else.

/** A paragraph, or several. */
export function* paragraphs(text: string): Generator<string> {
	if (!/\S/.test(text)) return;
	yield* plainChunks(text);
	yield "\n\n";
}

/** The same as a quotation, after a word about it. */
export function* quoted(about: string, text: string): Generator<string> {
	if (!/\S/.test(text)) return;
	yield `> *${about}*\n>\n> `;
	for (const chunk of plainChunks(text)) yield chunk.replaceAll("\n", "\n> ");
	yield "\n\n";
}

/** Texts as they are, one below the other, in a fence that nothing in them ends. */
export function* fenced(language: string, ...texts: readonly string[]): Generator<string> {
	let fence = "```";
	for (const chunk of texts.values().flatMap(plainChunks)) {
		for (const [run] of chunk.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = "`".repeat(run.length + 1);
		yield "";
	}
	yield `${fence}${language}\n`;
	for (const text of texts) {
		let last = "";
		for (const chunk of plainChunks(text)) {
			yield chunk;
			last = chunk;
		}
		if (last !== "" && !last.endsWith("\n")) yield "\n";
	}
	yield `${fence}\n\n`;
}

/** A few words as code, on one line. */
export function inlineCode(text: string): string {
	const line = plainLine(text);
	if (line === "") return "";
	const mark = line.includes("`") ? "``" : "`";
	return line.startsWith("`") || line.endsWith("`") ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}

/** The language of a file by its ending, for a fence; "" without one. */
export function languageOf(path: string): string {
	return /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
