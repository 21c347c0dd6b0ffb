import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync } from "node:fs";

/** Stands in a name for bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/** The entries of a directory whose names are not UTF-8. */
interface UnlistedNames {
	/** The names as Node reads them, which do not exist. */
	readonly replaced: ReadonlySet<string>;
	/** The names of those that could hold sessions, in a form to show: each invalid byte as `\xff`. */
	readonly shown: readonly string[];
}

const NONE: UnlistedNames = { replaced: new Set(), shown: [] };

/**
 * Finds names that are not UTF-8 among the entries of a directory. Node, ripgrep's output and pi's arguments cannot represent
 * such a path. Throws if the directory cannot be read.
 */
export function unlistedNames(directory: string, entries: readonly Dirent[]): UnlistedNames {
	if (!entries.some(({ name }) => name.includes(REPLACEMENT))) return NONE;
	const replaced = new Set<string>();
	const escapedNames: string[] = [];
	for (const entry of readdirSync(directory, { encoding: "buffer", withFileTypes: true })) {
		if (isUtf8(entry.name)) continue;
		const name = entry.name.toString();
		replaced.add(name);
		if (entry.isDirectory() || name.endsWith(".jsonl")) escapedNames.push(escapeBytes(entry.name));
	}
	return { replaced, shown: escapedNames };
}

function escapeBytes(name: Buffer): string {
	let text = "";
	for (let at = 0; at < name.length; ) {
		const length = [1, 2, 3, 4].find((size) => at + size <= name.length && isUtf8(name.subarray(at, at + size)));
		text += length ? name.toString("utf8", at, at + length) : `\\x${name.toString("hex", at, at + 1)}`;
		at += length ?? 1;
	}
	return text;
}
