import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { xdgDir } from "../../shared/xdg-dir.ts";

/**
 * The directory for downloads, where other programs save files, too: the one that user-dirs.dirs of the XDG user directories
 * names, else "Downloads" in the home directory. Undefined if there is none.
 */
export function downloadsDirectory(
	env: Readonly<Record<string, string | undefined>>,
	home: string,
): string | undefined {
	const [, named] =
		/^XDG_DOWNLOAD_DIR="(.+)"/m.exec(readText(join(xdgDir("XDG_CONFIG_HOME", env, home), "user-dirs.dirs"))) ?? [];
	const candidates = [...(named === undefined ? [] : [named.replace(/^\$HOME/, () => home)]), join(home, "Downloads")];
	// A desktop without such a directory names the home directory itself.
	return candidates.find((path) => path.replace(/\/+$/, "") !== home && isDirectory(path));
}

function readText(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}

function isDirectory(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
