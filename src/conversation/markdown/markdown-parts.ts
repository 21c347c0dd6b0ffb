import { plainChunks, plainLine } from "./plain-text.ts";

// Parts of a Markdown text, in pieces, since an entry may hold any amount of text. An empty piece is a chance to pause.

export function* paragraphs(text: string): Generator<string> {
	if (!/\S/.test(text)) return;
	yield* plainChunks(text);
	yield "\n\n";
}

/** The same as a quotation below the line `about`. */
export function* quoted(about: string, text: string): Generator<string> {
	if (!/\S/.test(text)) return;
	yield `> *${about}*\n>\n> `;
	for (const chunk of plainChunks(text)) yield chunk.replaceAll("\n", "\n> ");
	yield "\n\n";
}

/** Verbatim texts, one below the other, in a fence long enough that nothing in them ends it. */
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

export function inlineCode(text: string): string {
	const line = plainLine(text);
	if (line === "") return "";
	const mark = line.includes("`") ? "``" : "`";
	return line.startsWith("`") || line.endsWith("`") ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}
