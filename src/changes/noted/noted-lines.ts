import { isObject } from "../../shared/is-object.ts";

/** One line of a file: the changes of one action, all or none. */
interface NotedLine<Change> {
	/** Identifies the action in the journal. */
	readonly token: string;
	readonly changes: readonly Change[];
}

const VERSION = 1;

export function printNotedLine<Change>({ token, changes }: NotedLine<Change>): string {
	return JSON.stringify({ version: VERSION, token, changes });
}

/**
 * The valid lines of a file, in order, and sentences about the others. `missing`: what may be missing if a line is ignored.
 * Text after the last newline may still be being written, so it is no problem if it is invalid.
 */
export function readNotedLines<Change>(
	text: string,
	isChange: (value: unknown) => value is Change,
	{ path, missing }: { readonly path: string; readonly missing: string },
): { readonly lines: readonly NotedLine<Change>[]; readonly problems: readonly string[] } {
	const texts = text.split("\n");
	const end = parseLine(texts.pop() ?? "", isChange);
	const parsed = [...texts.map((line) => parseLine(line, isChange)), ...(end === "damaged" ? [] : [end])];
	const problem = (what: "damaged" | "newer", words: string): string[] => {
		const first = parsed.indexOf(what);
		if (first === -1) return [];
		const count = parsed.filter((line) => line === what).length;
		const more = count === 1 ? "" : ` (and ${count - 1} more like it)`;
		return [`Line ${first + 1} of ${path} ${words}${more}: it is kept but ignored, so ${missing} may be missing.`];
	};
	return {
		lines: parsed.flatMap((line) => (typeof line === "object" ? [line] : [])),
		problems: [
			...problem("damaged", "cannot be read"),
			...problem("newer", "was written by a newer version of pi-grove"),
		],
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
		// `parseLine` takes undefined for damaged.
		return undefined;
	}
}
