import { join } from "node:path";
import { xdgDir } from "../../shared/xdg-dir.ts";

/** Name of our directory inside the user's base directories. */
export const CACHE_NAME = "pi-grove";

/** Directory for what can be rebuilt at any time: `$XDG_CACHE_HOME/pi-grove`, else `~/.cache/pi-grove`. */
export function defaultCacheDir(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(xdgDir("XDG_CACHE_HOME", env, home), CACHE_NAME);
}
