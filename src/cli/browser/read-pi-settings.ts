import { join } from "node:path";
import type { Fields } from "../../conversation/entries/fields.ts";
import { isObject } from "../../shared/is-object.ts";
import { readTextFile } from "../../store/files/open-file.ts";

/** One of pi's settings files. */
export interface PiSettings {
	/** The directory that it is in. */
	readonly dir: string;
	/** What it holds; nothing where it cannot be read. */
	readonly fields: Fields;
}

/**
 * pi's settings (pi 1.5.2, docs/settings.md), read once for all that begins as they say; the first that is set counts: the
 * project's, `<cwd>/.pi/settings.json`, then the person's, `<agentDir>/settings.json`. Never throws: a file that cannot be
 * read is reported where the session directory is looked for in it.
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
