import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A path as a person or a settings file writes it: `~`, `~/…` and `file://` are expanded; relative stays relative. */
export function expandPath(path: string, home: string = homedir()): string {
	if (path === "~") return home;
	if (path.startsWith("~/") || (process.platform === "win32" && path.startsWith("~\\")))
		return join(home, path.slice(2));
	return path.startsWith("file://") ? pathOfUrl(path) : path;
}

/** The same, made absolute. */
export function resolvePath(path: string, base: string = process.cwd(), home: string = homedir()): string {
	return resolve(base, expandPath(path, home));
}

function pathOfUrl(url: string): string {
	try {
		return fileURLToPath(url);
	} catch {
		// A URL that names no file of this machine is taken as a path; that it does not exist is told when it is used.
		return url;
	}
}
