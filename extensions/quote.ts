import { randomBytes } from "node:crypto";

/**
 * What is not seen, or changes how text around it is read: controls but line end and tab, format characters (bidirectional
 * controls, zero-width joiners, tags), private use, and all that is ignored by default. Words to an agent can be hidden in it.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

/** A text of a session, without what is not seen. */
function visible(text: string): string {
	return text.replaceAll("\r\n", "\n").toWellFormed().replace(UNSEEN, "");
}

/** Puts texts of sessions between two lines that nobody could have written into them before. */
export interface Quoter {
	/** The name of the lines: `<name>` before a text, `</name>` behind it. */
	readonly name: string;
	/** The text, without what is not seen, between the lines. */
	quote(text: string): string;
}

/** A quoter for the texts of one answer: its name is random, and in none of them. */
export function quoterFor(texts: readonly string[]): Quoter {
	const seen = texts.map(visible);
	let name: string;
	do name = `quote-${randomBytes(8).toString("hex")}`;
	while (seen.some((text) => text.includes(name)));
	return { name, quote: (text) => `<${name}>\n${visible(text).trimEnd()}\n</${name}>` };
}

/** A value of the agent's as one short line; "" for what is not a text. */
export function brief(value: unknown): string {
	return typeof value === "string" ? plain(value.slice(0, 1_000), 80) : "";
}

/** A text that is not of a session as one line of at most `most` UTF-16 units, without what is not seen. */
export function plain(text: string, most: number): string {
	return cut(oneLine(visible(text)), most);
}

/** A text on one line. */
export function oneLine(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}

/** The beginning of a text, at most `most` UTF-16 units of it, with a sign where it goes on. */
export function cut(text: string, most: number): string {
	return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
}
