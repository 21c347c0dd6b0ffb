import { join } from "node:path";
import { withOwnCommands } from "../../app/features/own-commands/own-bindings.ts";
import { parseOwnCommands } from "../../app/features/own-commands/parse-own-commands.ts";
import type { Binding } from "../../app/world/state/binding.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { xdgDir } from "../../shared/xdg-dir.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import { shortenHome } from "../../ui/text/format.ts";
import type { ReadKeymap } from "./read-keybindings.ts";

/** Adds the commands of `$XDG_CONFIG_HOME/pi-grove/commands.json` to the keymap. Whatever is wrong there is a problem, no failure. */
export async function readOwnCommands(
	keymap: readonly Binding[],
	env: Readonly<Record<string, string | undefined>>,
	home: string,
): Promise<ReadKeymap> {
	const path = join(xdgDir("XDG_CONFIG_HOME", env, home), "pi-grove", "commands.json");
	const where = shortenHome(path, home);
	const told = (sentences: readonly string[]): CatalogProblem[] =>
		sentences.map((sentence) => ({ path, message: `commands.json: ${sentence} (${where})` }));
	let text: string;
	try {
		text = readTextFile(path);
	} catch (error) {
		const code = errorCode(error);
		if (code === "ENOENT" || code === "ENOTDIR") return { keymap, problems: [] };
		const reason = code === "not-a-file" ? "it is not a regular file" : explain(error);
		return { keymap, problems: told([`It cannot be read: ${reason}. There are no commands of your own.`]) };
	}
	// Loaded only where there is something to check: it takes long.
	const { z } = await import("zod");
	const { commands, problems } = parseOwnCommands(text, z);
	const added = withOwnCommands(keymap, commands);
	return { keymap: added.keymap, problems: told([...problems, ...added.problems]) };
}
