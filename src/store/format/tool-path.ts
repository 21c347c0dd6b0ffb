import { resolvePath } from "../files/paths.ts";

/** Blanks that pi takes for a space, in a path. */
const BLANKS = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/**
 * The absolute path that a tool's `path` stands for, as pi 1.5.2 resolves it: from the session's directory, with "~" and
 * file URLs, without an "@" before it. Undefined where neither says where it is.
 */
export function toolPath(path: string, cwd: string, home: string): string | undefined {
	const plain = path.replace(BLANKS, " ").replace(/^@/, "");
	const isRelative = !/^(?:[/\\~]|[a-z]:[/\\]|file:\/\/)/i.test(plain);
	return cwd === "" && isRelative ? undefined : resolvePath(plain, cwd, home);
}
