import { join } from "node:path";
import { xdgDir } from "../../shared/xdg-dir.ts";

/** Directory for what must outlive a run: `$XDG_STATE_HOME/pi-grove`, else `~/.local/state/pi-grove`. */
export function defaultStateDir(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(xdgDir("XDG_STATE_HOME", env, home), "pi-grove");
}
