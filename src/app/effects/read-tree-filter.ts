import { join } from "node:path";
import { openFileAsync } from "../../store/files/open-file.ts";
import { TREE_FILTERS, type TreeFilter } from "../model/state.ts";

/**
 * The filter that pi's tree begins with: `treeFilterMode` in `<cwd>/.pi/settings.json`, then in `<agentDir>/settings.json`
 * (pi 1.5.2, docs/settings.md). Undefined where none is set. Never rejects: a file that cannot be read is reported where the
 * session directory is looked for in it.
 */
export async function readTreeFilter(cwd: string, agentDir: string): Promise<TreeFilter | undefined> {
	for (const file of [join(cwd, ".pi", "settings.json"), join(agentDir, "settings.json")]) {
		const mode = await readMode(file);
		if (mode !== undefined) return TREE_FILTERS.find((filter) => filter === mode);
	}
	return undefined;
}

async function readMode(path: string): Promise<unknown> {
	try {
		const { handle } = await openFileAsync(path);
		try {
			const settings: unknown = JSON.parse((await handle.readFile("utf8")).replace(/^\uFEFF/, ""));
			return typeof settings === "object" && settings !== null && "treeFilterMode" in settings
				? settings.treeFilterMode
				: undefined;
		} finally {
			await handle.close();
		}
	} catch {
		return undefined;
	}
}
