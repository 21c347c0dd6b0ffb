import { randomBytes } from "node:crypto";

/**
 * Characters that are invisible or change how others are read, in which words to an agent can be hidden: controls except
 * newline and tab, format characters (bidirectional controls, zero-width joiners, tags), private use, default-ignorable.
 */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

function visible(text: string): string {
	return text.replaceAll("\r\n", "\n").toWellFormed().replace(INVISIBLE, "");
}

/** Puts texts of sessions between two lines that no one could have written into them before. */
interface Quoter {
	/** The name in these lines: `<name>` before a text, `</name>` behind it. */
	readonly name: string;
	/** The text between these lines, without invisible characters. */
	quote(text: string): string;
}

/** A quoter for the texts of one answer; its name is random and occurs in none of them. */
export function quoterFor(texts: readonly string[]): Quoter {
	const cleanTexts = texts.map(visible);
	let name: string;
	do name = `quote-${randomBytes(8).toString("hex")}`;
	while (cleanTexts.some((text) => text.includes(name)));
	return { name, quote: (text) => `<${name}>\n${visible(text).trimEnd()}\n</${name}>` };
}

/** An argument of the agent as one short line; "" if it is not a text. */
export function brief(value: unknown): string {
	return typeof value === "string" ? plain(value.slice(0, 1_000), 80) : "";
}

/** A text that need not be quoted as one line of at most `max` UTF-16 units, without invisible characters. */
export function plain(text: string, max: number): string {
	return cut(oneLine(visible(text)), max);
}

export function oneLine(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}

/** The first `max` UTF-16 units of a text, with "…" if it is longer. */
export function cut(text: string, max: number): string {
	return text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Controls except tab and newline, and bidirectional controls: no text of a session may reach the terminal with them. */
// biome-ignore format: one class
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes a text safe to show and to put into pi's editor. */
export function clean(text: string): string {
	return text.replaceAll("\r\n", "\n").replace(CONTROLS, "");
}
