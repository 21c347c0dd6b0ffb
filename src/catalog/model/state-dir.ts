import { join } from "node:path";

/** Directory for what must outlive a run: `$XDG_STATE_HOME/pi-grove`, else `~/.local/state/pi-grove`. */
export function defaultStateDir(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(env.XDG_STATE_HOME || join(home, ".local", "state"), "pi-grove");
}
