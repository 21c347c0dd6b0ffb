import { isObject } from "../../store/format/parse.ts";
import { applyChanges, type MarkChange, type Marks, NO_MARKS } from "./marks.ts";

/** One line of the file: what one action changed, whole or not at all. */
export interface MarksLine {
	/** Names the action, for the journal. */
	readonly token: string;
	readonly changes: readonly MarkChange[];
}

/** What the file holds. */
export interface ReadMarks {
	readonly marks: Marks;
	/** What could not be read, in sentences; it is kept, and the rest counts. */
	readonly problems: readonly string[];
}

const VERSION = 1;

export function printMarksLine({ token, changes }: MarksLine): string {
	return JSON.stringify({ version: VERSION, token, changes });
}

/** The lines of a file's text that can be read, in order. What stands behind the last line end may still be written. */
export function marksLines(text: string): readonly MarksLine[] {
	return parseLines(text).flatMap((line) => (typeof line === "object" ? [line] : []));
}

/** Reads the text of the file at `path`, in which the later lines overrule the earlier ones. */
export function readMarksText(text: string, path: string): ReadMarks {
	const parsed = parseLines(text);
	const numbersOf = (what: unknown): readonly number[] =>
		parsed.flatMap((line, index) => (line === what ? [index + 1] : []));
	const lists = parsed.flatMap((line) => (typeof line === "object" ? [line.changes] : []));
	const problems = [
		...tell(numbersOf("damaged"), path, "cannot be read"),
		...tell(numbersOf("newer"), path, "was written by a newer version of pi-grove"),
	];
	return { marks: applyChanges(NO_MARKS, lists), problems };
}

function tell(numbers: readonly number[], path: string, what: string): string[] {
	const [first] = numbers;
	if (first === undefined) return [];
	const more = numbers.length === 1 ? "" : ` (and ${numbers.length - 1} more like it)`;
	return [`Line ${first} of ${path} ${what}${more}: it is kept and left out, so a pin or a tag may be missing.`];
}

function parseLines(text: string): (MarksLine | "damaged" | "newer" | "blank")[] {
	const lines = text.split("\n");
	const last = lines.pop() ?? "";
	const end = parseLine(last);
	return [...lines.map(parseLine), ...(end === "damaged" ? [] : [end])];
}

function parseLine(line: string): MarksLine | "damaged" | "newer" | "blank" {
	if (line.trim() === "") return "blank";
	const stored = parseJson(line);
	if (!isObject(stored) || typeof stored.version !== "number") return "damaged";
	if (stored.version > VERSION) return "newer";
	const { token, changes } = stored;
	if (typeof token !== "string" || !Array.isArray(changes) || !changes.every(isChange)) return "damaged";
	return { token, changes };
}

function isChange(value: unknown): value is MarkChange {
	if (!isObject(value)) return false;
	const { id, tag, on } = value;
	return typeof id === "string" && typeof on === "boolean" && (tag === undefined || typeof tag === "string");
}

function parseJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// Damaged: `parseLine` says so.
		return undefined;
	}
}
