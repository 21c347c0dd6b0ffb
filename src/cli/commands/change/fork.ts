import { homedir } from "node:os";
import { isDirectory } from "../../../app/world/effects/find-program.ts";
import { resolvePath } from "../../../store/files/paths.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { Given } from "../../arguments/given.ts";
import { changeOne } from "./change-one.ts";

/** Makes a new session of a whole tree, and prints where it is; returns the exit code. */
export function fork(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }, row) => {
		if (entry !== undefined)
			return { mistake: `fork copies the whole tree; for the path to entry ${entry}: pi-grove branch SESSION#ENTRY` };
		const { to } = given;
		const cwd = to === undefined ? row.cwd || process.cwd() : resolvePath(to);
		// pi could not be started there.
		if (to !== undefined && !(await isDirectory(cwd))) return { mistake: `--to ${to} is not a directory` };
		return {
			effect: { type: "fork", path, cwd },
			label: `Fork it for the project in ${shortenHome(cwd, homedir())}`,
			told: ({ created }) => ({ cwd, created }),
			printed: ({ created }) => created,
		};
	});
}
