import { join } from "node:path";
import { readTextFile } from "../../store/files/open-file.ts";
import { isObject } from "../../store/format/parse.ts";
import { TREE_FILTERS, type TreeFilter } from "../model/state.ts";

/**
 * The filter that pi's tree begins with: `treeFilterMode` in `<cwd>/.pi/settings.json`, then in `<agentDir>/settings.json`
 * (pi 1.5.2, docs/settings.md). Undefined where none is set. Never throws: a file that cannot be read is reported where the
 * session directory is looked for in it.
 */
export function readTreeFilter(cwd: string, agentDir: string): TreeFilter | undefined {
	for (const file of [join(cwd, ".pi", "settings.json"), join(agentDir, "settings.json")]) {
		const mode = readMode(file);
		if (mode !== undefined) return TREE_FILTERS.find((filter) => filter === mode);
	}
	return undefined;
}

function readMode(path: string): unknown {
	try {
		const settings: unknown = JSON.parse(readTextFile(path).replace(/^\uFEFF/, ""));
		return isObject(settings) ? settings.treeFilterMode : undefined;
	} catch {
		return undefined;
	}
}
