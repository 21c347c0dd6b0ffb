import { isUtf8 } from "node:buffer";
import { attempt, messageOf } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import type { DiagnosticList } from "./diagnostic.ts";
import { FILE_FORMS, FORM_MESSAGES, formOf } from "./file-form.ts";
import type { RawEntry } from "./raw-entry.ts";
import type { FileEntry } from "./schema.ts";

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The JSON object of one line; undefined for a blank line, for an unusable one and for one that repeats another, which are
 * reported as diagnostics.
 * Oddities of a usable line (a byte order mark, bytes that are not UTF-8) are reported too.
 */
export function parseLine(line: RawLine, diagnostics: DiagnosticList): RawEntry | undefined {
	const { number } = line;
	if (line.isGlued) {
		const message = `Line ${number} is behind line ${number - 1} on the same line of the file: two programs wrote at once; it is read like a line of its own.`;
		diagnostics.add("glued-line", "note", message, number);
	}
	if (line.bytes === undefined) {
		const size = `${Math.round(line.length / 1024 / 1024)} MiB`;
		diagnostics.add(
			"line-too-long",
			"damage",
			`Line ${number} is ${size} long, too long to be shown; it was not read.`,
			number,
		);
		return undefined;
	}
	let bytes = line.bytes;
	const form = number === 1 ? formOf(bytes) : undefined;
	if (form !== undefined) {
		diagnostics.add(form, "damage", FORM_MESSAGES[form]);
		return undefined;
	}
	if (number === 1 && bytes.subarray(0, 3).equals(MARK)) {
		diagnostics.add("byte-order-mark", "note", "The file starts with a byte order mark; pi does not list it.", 1);
		bytes = bytes.subarray(3);
	}
	const text = bytes.toString("utf8");
	if (text.trim() === "") return undefined;
	if (diagnostics.has(FILE_FORMS)) {
		// That says it all: no line of such a file is an entry.
		const value = parseJson(text);
		return isObject(value) ? value : undefined;
	}
	if (!isUtf8(bytes)) {
		const message = `Line ${number} has bytes that are not UTF-8; each is shown as \uFFFD.`;
		diagnostics.add("invalid-utf8", "damage", message, number);
	}
	if (line.terminated && diagnostics.isFull("bad-line") && !isBraced(text)) {
		// Finding the exact reason takes too long if there are a million such lines.
		diagnostics.add("bad-line", "damage", `Line ${number} is not JSON; it was skipped.`, number);
		return undefined;
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		if (line.terminated) {
			const message = `Line ${number} is not JSON (${reason(text, error)}); it was skipped.`;
			diagnostics.add("bad-line", "damage", message, number);
		} else {
			const message = `Line ${number}, the last, is cut off: a write was interrupted or is still in progress; it was skipped.`;
			diagnostics.add("torn-tail", "damage", message, number);
		}
		return undefined;
	}
	if (isObject(value)) {
		if (!line.isRepeated) return value;
		const message = `Line ${number} is equal to an earlier one, byte for byte; both are one entry.`;
		diagnostics.add("repeated-line", "note", message, number);
		return undefined;
	}
	diagnostics.add("bad-line", "damage", `Line ${number} is JSON but not an object; it was skipped.`, number);
	return undefined;
}

function isBraced(text: string): boolean {
	const trimmed = text.trim();
	return trimmed.startsWith("{") && trimmed.length > 1 && trimmed.endsWith("}");
}

/**
 * The entries of a session file's text, header included, as pi's function of this name returns them: bad lines are
 * left out, nothing is migrated or checked.
 */
export function parseSessionEntries(content: string): FileEntry[] {
	const entries: FileEntry[] = [];
	for (const line of content.split("\n")) {
		const value = parseJson(line.replace(/^\uFEFF/, ""));
		// Unchecked, as in pi: the caller vouches that this is the text of a session.
		if (isObject(value)) entries.push(value as unknown as FileEntry);
	}
	return entries;
}

/** The value of a JSON text; undefined for any other text, for callers that have nowhere to report it. */
export function parseJson(text: string): unknown {
	return attempt((): unknown => JSON.parse(text));
}

function reason(text: string, error: unknown): string {
	if (/^\0+$/.test(text)) return "only NUL bytes, as a crash of the machine leaves them";
	// V8 quotes the line in its message; the text of a session does not belong in an error.
	const message = messageOf(error);
	return message.replace(/,?\s*(?:"|\.\.\.|\(line)[\s\S]*$/, "").slice(0, 80);
}

/** One line of a file as bytes, without its `\n`. */
export interface RawLine {
	/** 1-based. */
	readonly number: number;
	/** Offset of the line in the file. */
	readonly offset: number;
	/** Valid until the next line is read; undefined if the line is too long. */
	readonly bytes: Buffer | undefined;
	/** First and last bytes of a line that is too long. */
	readonly ends?: Buffer;
	/** In bytes, also when `bytes` is undefined. */
	readonly length: number;
	/** False only for a last line without `\n`. */
	readonly terminated: boolean;
	/** Whether it stands behind another object, without a `\n` between them. @default false */
	readonly isGlued?: boolean;
	/** Whether an earlier line of the file is equal to it, so that both are one entry. @default false */
	readonly isRepeated?: boolean;
}

/** Longer lines are not parsed: `JSON.parse` would block the screen for seconds. In bytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
