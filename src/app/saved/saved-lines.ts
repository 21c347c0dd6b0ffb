import { isObject } from "../../store/format/parse.ts";
import { applySaved, NO_SAVED, type SavedChange, type SavedQueries } from "./saved-queries.ts";

/** One line of the file: what one action changed, whole or not at all. */
export interface SavedLine {
	/** Names the action, for the journal. */
	readonly token: string;
	readonly changes: readonly SavedChange[];
}

/** What the file holds. */
export interface ReadSaved {
	readonly saved: SavedQueries;
	/** What could not be read, in sentences; it is kept, and the rest counts. */
	readonly problems: readonly string[];
}

const VERSION = 1;

export function printSavedLine({ token, changes }: SavedLine): string {
	return JSON.stringify({ version: VERSION, token, changes });
}

/** The lines of a file's text that can be read, in order. */
export function savedLines(text: string): readonly SavedLine[] {
	return parseLines(text).flatMap((line) => (typeof line === "object" ? [line] : []));
}

/** Reads the text of the file at `path`, in which the later lines overrule the earlier ones. */
export function readSavedText(text: string, path: string): ReadSaved {
	const lines = parseLines(text);
	const saved = applySaved(
		NO_SAVED,
		lines.flatMap((line) => (typeof line === "object" ? line.changes : [])),
	);
	return {
		saved,
		problems: [
			...tell(lines, "damaged", path, "cannot be read"),
			...tell(lines, "newer", path, "was written by a newer version of pi-grove"),
		],
	};
}

type Parsed = SavedLine | "damaged" | "newer" | "blank";

function tell(lines: readonly Parsed[], what: Parsed, path: string, words: string): string[] {
	const first = lines.indexOf(what);
	if (first === -1) return [];
	const count = lines.filter((line) => line === what).length;
	const more = count === 1 ? "" : ` (and ${count - 1} more like it)`;
	return [`Line ${first + 1} of ${path} ${words}${more}: it is kept and left out, so a saved query may be missing.`];
}

function parseLines(text: string): Parsed[] {
	const lines = text.split("\n");
	const end = parseLine(lines.pop() ?? "");
	// What stands behind the last line end may still be written.
	return [...lines.map(parseLine), ...(end === "damaged" ? [] : [end])];
}

function parseLine(line: string): Parsed {
	if (line.trim() === "") return "blank";
	const stored = parseJson(line);
	if (!isObject(stored) || typeof stored.version !== "number") return "damaged";
	if (stored.version > VERSION) return "newer";
	const { token, changes } = stored;
	if (typeof token !== "string" || !Array.isArray(changes) || !changes.every(isChange)) return "damaged";
	return { token, changes };
}

function isChange(value: unknown): value is SavedChange {
	if (!isObject(value)) return false;
	const { name, text, shown } = value;
	return typeof shown === "boolean" || (typeof name === "string" && (text === null || typeof text === "string"));
}

function parseJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// Damaged: `parseLine` says so.
		return undefined;
	}
}
