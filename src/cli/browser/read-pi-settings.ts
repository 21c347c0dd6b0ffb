import { join } from "node:path";
import type { Fields } from "../../conversation/entries/fields.ts";
import { isObject } from "../../shared/is-object.ts";
import { readTextFile } from "../../store/files/open-file.ts";

/** One of pi's settings files. */
export interface PiSettings {
	/** Its directory. */
	readonly dir: string;
	/** Its fields; empty if it cannot be read. */
	readonly fields: Fields;
}

/**
 * Reads pi's settings files (pi 1.5.2, docs/settings.md) in order of precedence: the project's, `<cwd>/.pi/settings.json`,
 * then the person's, `<agentDir>/settings.json`. Never throws: a file that cannot be read is reported by the search for the
 * session directory, which reads it, too.
 */
export function readPiSettings(cwd: string, agentDir: string): readonly PiSettings[] {
	return [join(cwd, ".pi"), agentDir].map((dir) => ({ dir, fields: readFields(join(dir, "settings.json")) }));
}

function readFields(path: string): PiSettings["fields"] {
	try {
		const settings: unknown = JSON.parse(readTextFile(path).replace(/^\uFEFF/, ""));
		return isObject(settings) ? settings : {};
	} catch {
		return {};
	}
}
