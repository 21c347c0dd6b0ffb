import type { CatalogProblem } from "../../../catalog/model/event.ts";
import { join } from "../../../shared/paths.ts";
import { type Env, xdgDir } from "../../../shared/system.ts";
import { readTextFile } from "../../../store/files/open-file.ts";
import { errorCode, explain } from "../../../store/files/store-error.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { withOwnCommands } from "../../features/own-commands/own-bindings.ts";
import { parseOwnCommands } from "../../features/own-commands/parse-own-commands.ts";
import type { Binding } from "../../world/state/binding.ts";
import { applyKeybindings, parseKeybindings } from "../keys/keybindings.ts";

interface ReadKeymap {
	readonly keymap: readonly Binding[];
	readonly problems: readonly CatalogProblem[];
}

/** Reads the person's own keys from `<agentDir>/keybindings.json` (pi 1.5.2, docs/keybindings.md) into the keymap. */
export function readKeymap(agentDir: string): ReadKeymap {
	const path = join(agentDir, "keybindings.json");
	const file = readOwnFile(path, "The default keys apply.");
	const { keys, problems } = "text" in file ? parseKeybindings(file.text) : { keys: {}, ...file };
	const applied = applyKeybindings(keys);
	const sentences = [...problems, ...applied.problems];
	return {
		keymap: applied.keymap,
		problems: sentences.map((sentence) => ({ path, message: `keybindings.json: ${sentence} (${path})` })),
	};
}

/** Reads a file that the person may have written; if that fails, the problem says what holds `without` it. */
function readOwnFile(
	path: string,
	without: string,
): { readonly text: string } | { readonly problems: readonly string[] } {
	try {
		return { text: readTextFile(path) };
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT" || code === "ENOTDIR") return { problems: [] };
		return { problems: [`It cannot be read: ${explain(error)}. ${without}`] };
	}
}

export function ownCommandsPath(env: Env, home: string): string {
	return join(xdgDir("XDG_CONFIG_HOME", env, home), "pi-grove", "commands.json");
}

/** Adds the commands of `$XDG_CONFIG_HOME/pi-grove/commands.json` to the keymap. Whatever is wrong there is a problem, no failure. */
export async function readOwnCommands(keymap: readonly Binding[], env: Env, home: string): Promise<ReadKeymap> {
	const path = ownCommandsPath(env, home);
	const where = shortenHome(path, home);
	const problemsOf = (sentences: readonly string[]): CatalogProblem[] =>
		sentences.map((sentence) => ({ path, message: `commands.json: ${sentence} (${where})` }));
	const file = readOwnFile(path, "Your own commands are not available.");
	if ("problems" in file) return { keymap, problems: problemsOf(file.problems) };
	// Loaded only where there is something to check: it takes long.
	const { z } = await import("zod");
	const { commands, problems } = parseOwnCommands(file.text, z);
	const added = withOwnCommands(keymap, commands);
	return { keymap: added.keymap, problems: problemsOf([...problems, ...added.problems]) };
}
