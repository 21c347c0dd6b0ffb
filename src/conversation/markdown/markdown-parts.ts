import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
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
	yield `> *${about}*\n>\n`;
	yield* quotation(text);
}

/** A text as a quotation: a fence that it does not close ends with it. */
export function* quotation(text: string): Generator<string> {
	yield "> ";
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

/** Markdown that is folded to one line where HTML is understood, as on GitHub. `title`: HTML (`htmlLine`). */
export function* folded(title: string, inner: Iterable<string>): Generator<string> {
	yield `<details>\n<summary>${title}</summary>\n\n`;
	yield* inner;
	yield "</details>\n\n";
}

/** UTF-16 units of a text in the line of what is folded. */
const LONGEST_LINE = 200;

/** A text as it stands in one line of HTML. */
export function htmlLine(text: string): string {
	const line = plainLine(text);
	const short = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE).toWellFormed()}…` : line;
	return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Code between as many backticks, or a sign that may be markup. */
const CODE_OR_SIGN = /(?<!`)(`+)(?!`).*?[^`]\1(?!`)|[\\`*_[\]<>#~&]/g;

/** One line in which nothing but code is markup, cut to so many cells: a sign has a backslash only where it would mean something else. */
export function escapedLine(text: string, width: number): string {
	const line = cutText(sanitizeLine(text), width);
	return line.replace(CODE_OR_SIGN, (part, code: string | undefined, at: number) =>
		code === undefined && isMarkup(part, line.slice(0, at), line.slice(at + 1)) ? `\\${part}` : part,
	);
}

function isMarkup(sign: string, before: string, after: string): boolean {
	const isWithin = (edge: RegExp): boolean => edge.test(before.slice(-1)) && edge.test(after.slice(0, 1));
	switch (sign) {
		case "\\":
			return /^[!-/:-@[-`{-~]/.test(after);
		case "*":
			return !isWithin(/^\s?$/);
		case "_":
			return !isWithin(/^\s?$/) && !isWithin(/^[\p{L}\p{N}]$/u);
		case "[":
		case ">":
			return before === "";
		case "]":
			return /^[([:]/.test(after);
		case "<":
			return /^[a-z/!?]/i.test(after);
		case "#":
			return /^#*$/.test(before) || (/\s#*$/.test(before) && /^#*$/.test(after));
		case "~":
			return /\S$/.test(before);
		case "&":
			return /^#?\w+;/.test(after);
		default:
			return true;
	}
}

export function inlineCode(text: string): string {
	const line = plainLine(text);
	if (line === "") return "";
	const mark = line.includes("`") ? "``" : "`";
	return line.startsWith("`") || line.endsWith("`") ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}
