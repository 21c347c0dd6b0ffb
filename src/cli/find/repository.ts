import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The root of the Git repository that contains a directory; undefined when there is none. */
export function repositoryOf(directory: string): string | undefined {
	for (let at = directory; ; at = dirname(at)) {
		if (existsSync(join(at, ".git"))) return at;
		if (dirname(at) === at) return undefined;
	}
}
