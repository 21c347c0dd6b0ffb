import { join } from "node:path";
import { readText } from "./read-file.ts";

/** The action in the person's `keybindings.json` that opens the browser in pi. pi ignores names that it does not know. */
const ACTION = "pi-grove.open";

/** The keys that open the browser, with pi's names ("ctrl+g"), or what is wrong with them. */
interface OpenKeys {
	readonly keys: readonly string[];
	readonly problem?: string;
}

/** Reads `<agentDir>/keybindings.json` (pi 1.5.2, docs/keybindings.md). A file that is not JSON is left to pi, which ignores it. */
export function readOpenKeys(agentDir: string): OpenKeys {
	const path = join(agentDir, "keybindings.json");
	let content: unknown;
	try {
		content = JSON.parse(readText(path).replace(/^\uFEFF/, ""));
	} catch {
		return { keys: [] };
	}
	if (typeof content !== "object" || content === null || !Object.hasOwn(content, ACTION)) return { keys: [] };
	const value = (content as Readonly<Record<string, unknown>>)[ACTION];
	const keys: unknown[] = Array.isArray(value) ? value : [value];
	if (keys.every((key) => typeof key === "string")) return { keys };
	return {
		keys: [],
		problem: `${path}: "${ACTION}" must be a key or a list of keys, such as "ctrl+shift+g". No key opens pi-grove until it is one.`,
	};
}
