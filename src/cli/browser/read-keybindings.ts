import { join } from "node:path";
import { applyKeybindings, type ParsedKeybindings, parseKeybindings } from "../../app/core/keys/keybindings.ts";
import type { Binding } from "../../app/world/state/binding.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";

/** The keymap, and what is wrong with the person's own keys. */
export interface ReadKeymap {
	readonly keymap: readonly Binding[];
	readonly problems: readonly CatalogProblem[];
}

/** Reads the person's own keys from `<agentDir>/keybindings.json` (pi 1.5.2, docs/keybindings.md) into the keymap. */
export function readKeymap(agentDir: string): ReadKeymap {
	const path = join(agentDir, "keybindings.json");
	const { keys, problems } = read(path);
	const applied = applyKeybindings(keys);
	const sentences = [...problems, ...applied.problems];
	return {
		keymap: applied.keymap,
		problems: sentences.map((sentence) => ({ path, message: `keybindings.json: ${sentence} (${path})` })),
	};
}

function read(path: string): ParsedKeybindings {
	try {
		return parseKeybindings(readTextFile(path));
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT" || code === "ENOTDIR") return { keys: {}, problems: [] };
		const reason = code === "not-a-file" ? "it is not a regular file" : explain(error);
		return { keys: {}, problems: [`It cannot be read: ${reason}. The default keys apply.`] };
	}
}
