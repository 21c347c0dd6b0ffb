import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { isReport } from "./report-reader.ts";

/** Deeper than reports nest. */
const DEEPEST = 8;

/** The session files of runs that an entry names, so that a list knows whether it has to read reports before it is complete. */
export function sessionFilesIn(entry: RawEntry): readonly string[] {
	if (!isReport(entry)) return [];
	const message = isObject(entry.message) ? entry.message : entry;
	const { content, details } = message;
	const text = typeof content === "string" ? content : "";
	return [
		...filesIn(details, 0),
		...Array.from(text.matchAll(/^Session file: (.+)$/gm), ([, file = ""]) => file.trim()),
	];
}

function filesIn(value: unknown, depth: number): string[] {
	if (depth > DEEPEST || typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, one]) =>
		key === "sessionFile" && typeof one === "string" ? [one] : filesIn(one, depth + 1),
	);
}
