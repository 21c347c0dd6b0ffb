import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { CatalogProblem } from "../../catalog/event.ts";
import type { Keybindings } from "../keybindings.ts";

const KeybindingsSchema = z.record(z.string(), z.union([z.string().transform((key) => [key]), z.array(z.string())]));

/** The person's own keys from `<agentDir>/keybindings.json` (pi 1.5.2); none, and why, when the file cannot be used. */
export async function readKeybindings(
	agentDir: string,
): Promise<{ readonly keys: Keybindings; readonly problem?: CatalogProblem }> {
	const path = join(agentDir, "keybindings.json");
	try {
		return { keys: KeybindingsSchema.parse(JSON.parse(await readFile(path, "utf8"))) };
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return { keys: {} };
		const reason =
			error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error);
		return {
			keys: {},
			problem: { path, message: `Cannot use the keys of ${path}: ${reason}. The default keys work.` },
		};
	}
}
