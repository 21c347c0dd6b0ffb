import { isUtf8 } from "node:buffer";
import { isObject } from "../../shared/is-object.ts";
import type { DiagnosticList } from "./diagnostic-list.ts";
import type { RawLine } from "./lines.ts";
import type { FileEntry } from "./schema.ts";

/** A JSON object of a session file, not checked yet. */
export interface RawEntry {
	[field: string]: unknown;
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The JSON object of one line; undefined for a blank line and for an unusable one, which is reported as a diagnostic.
 * A usable line with something unusual (a byte order mark, bytes that are not UTF-8) is reported too.
 */
export function parseLine(line: RawLine, diagnostics: DiagnosticList): RawEntry | undefined {
	const { number } = line;
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
	if (number === 1 && bytes.subarray(0, 3).equals(MARK)) {
		diagnostics.add("byte-order-mark", "note", "The file starts with a byte order mark; pi does not list it.", 1);
		bytes = bytes.subarray(3);
	}
	const text = bytes.toString("utf8");
	if (text.trim() === "") return undefined;
	if (!isUtf8(bytes)) {
		const message = `Line ${number} has bytes that are not UTF-8; each is shown as \uFFFD.`;
		diagnostics.add("invalid-utf8", "damage", message, number);
	}
	if (line.terminated && diagnostics.isFull("bad-line") && !isBraced(text)) {
		// A million times, finding out what is wrong takes a while.
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
			const message = `Line ${number}, the last, is cut off: a write was interrupted or is still going on; it was skipped.`;
			diagnostics.add("torn-tail", "damage", message, number);
		}
		return undefined;
	}
	if (isObject(value)) return value;
	diagnostics.add("bad-line", "damage", `Line ${number} is JSON but not an object; it was skipped.`, number);
	return undefined;
}

/** Whether a text may be a JSON object. */
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
		const value = parseText(line);
		// Unchecked, as in pi: the caller says that this is the text of a session.
		if (value !== undefined) entries.push(value as unknown as FileEntry);
	}
	return entries;
}

function parseText(line: string): RawEntry | undefined {
	const text = line.startsWith("\uFEFF") ? line.slice(1) : line;
	if (text.trim() === "") return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		// This function promises to leave bad lines out, and has nowhere to report them.
		return undefined;
	}
}

function reason(text: string, error: unknown): string {
	if (/^\0+$/.test(text)) return "only NUL bytes, as a crash of the machine leaves them";
	// V8 quotes the line in its message; the text of a session does not belong in an error.
	const message = error instanceof Error ? error.message : String(error);
	return message.replace(/,?\s*(?:"|\.\.\.|\(line)[\s\S]*$/, "").slice(0, 80);
}
