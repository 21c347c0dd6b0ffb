import { isObject } from "../../shared/is-object.ts";

/** One line of a file: what one action changed, whole or not at all. */
export interface NotedLine<Change> {
	/** Names the action, for the journal. */
	readonly token: string;
	readonly changes: readonly Change[];
}

const VERSION = 1;

export function printNotedLine<Change>({ token, changes }: NotedLine<Change>): string {
	return JSON.stringify({ version: VERSION, token, changes });
}

/**
 * The lines of a file's text that can be read, in order, and what could not be, in sentences. `path`, `missing`: of the file,
 * and what may be missing where a line is left out. What stands behind the last line end may still be written.
 */
export function readNotedLines<Change>(
	text: string,
	isChange: (value: unknown) => value is Change,
	{ path, missing }: { readonly path: string; readonly missing: string },
): { readonly lines: readonly NotedLine<Change>[]; readonly problems: readonly string[] } {
	const texts = text.split("\n");
	const end = parseLine(texts.pop() ?? "", isChange);
	const parsed = [...texts.map((line) => parseLine(line, isChange)), ...(end === "damaged" ? [] : [end])];
	const tell = (what: "damaged" | "newer", words: string): string[] => {
		const first = parsed.indexOf(what);
		if (first === -1) return [];
		const count = parsed.filter((line) => line === what).length;
		const more = count === 1 ? "" : ` (and ${count - 1} more like it)`;
		return [`Line ${first + 1} of ${path} ${words}${more}: it is kept and left out, so ${missing} may be missing.`];
	};
	return {
		lines: parsed.flatMap((line) => (typeof line === "object" ? [line] : [])),
		problems: [...tell("damaged", "cannot be read"), ...tell("newer", "was written by a newer version of pi-grove")],
	};
}

function parseLine<Change>(
	line: string,
	isChange: (value: unknown) => value is Change,
): NotedLine<Change> | "damaged" | "newer" | "blank" {
	if (line.trim() === "") return "blank";
	const stored = parseJson(line);
	if (!isObject(stored) || typeof stored.version !== "number") return "damaged";
	if (stored.version > VERSION) return "newer";
	const { token, changes } = stored;
	if (typeof token !== "string" || !Array.isArray(changes) || !changes.every(isChange)) return "damaged";
	return { token, changes };
}

function parseJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// Damaged: `parseLine` says so.
		return undefined;
	}
}
