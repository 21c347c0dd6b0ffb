import { lstatSync, readlinkSync, type Stats } from "node:fs";

/** What is at a path, with its article: "a directory", "a named pipe". */
export function kindOf(stats: Stats): string {
	if (stats.isDirectory()) return "a directory";
	if (stats.isFIFO()) return "a named pipe";
	if (stats.isSocket()) return "a socket";
	if (stats.isBlockDevice() || stats.isCharacterDevice()) return "a device";
	return "something else";
}

/** What is wrong with a symbolic link that leads nowhere; undefined when it is gone meanwhile. */
export function linkProblem(path: string): string | undefined {
	try {
		if (!lstatSync(path).isSymbolicLink()) return undefined;
		return `Cannot look for sessions in ${path}: the link leads to ${readlinkSync(path)}, which does not exist.`;
	} catch {
		// Deleted meanwhile: there is nothing to say about it.
		return undefined;
	}
}
