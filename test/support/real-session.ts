import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A session that somebody really had; undefined where there is none. It is no part of the project, and its text must not
 * become one: it lies in `shared/real` beside the project's directory, or beside one that holds it.
 */
export const realSession: string | undefined = find(join(import.meta.dirname, "..", ".."));

function find(directory: string): string | undefined {
	const above = dirname(directory);
	if (above === directory) return undefined;
	const path = join(above, "shared", "real", "large-session.jsonl");
	return existsSync(path) ? path : find(above);
}
