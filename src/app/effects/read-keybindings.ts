import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { Keybindings } from "../keys/keybindings.ts";

/** The person's own keys from `<agentDir>/keybindings.json` (pi 1.5.2); none, and why, when the file cannot be used. */
export async function readKeybindings(
	agentDir: string,
): Promise<{ readonly keys: Keybindings; readonly problem?: CatalogProblem }> {
	const path = join(agentDir, "keybindings.json");
	try {
		const text = await readFile(path, "utf8");
		return await parse(text, path);
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return { keys: {} };
		return unusable(path, error instanceof Error ? error.message : String(error));
	}
}

async function parse(text: string, path: string): ReturnType<typeof readKeybindings> {
	// Loaded when it is needed: zod is a third of the start-up time, and few people have this file.
	const { parseKeybindings } = await import("./keybindings-schema.ts");
	const parsed = parseKeybindings(JSON.parse(text));
	return "keys" in parsed ? parsed : unusable(path, parsed.reason);
}

function unusable(path: string, reason: string): { readonly keys: Keybindings; readonly problem: CatalogProblem } {
	return { keys: {}, problem: { path, message: `Cannot use the keys of ${path}: ${reason}. The default keys work.` } };
}
