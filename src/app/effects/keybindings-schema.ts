import { z } from "zod";
import type { Keybindings } from "../keys/keybindings.ts";

/** pi's keybindings.json: for each action one key or a list of keys (pi 0.87, docs/keybindings.md). */
const KeybindingsSchema = z.record(z.string(), z.union([z.string().transform((key) => [key]), z.array(z.string())]));

/** The keys in the content of a keybindings.json, or why there are none. */
export function parseKeybindings(content: unknown): { readonly keys: Keybindings } | { readonly reason: string } {
	const parsed = KeybindingsSchema.safeParse(content);
	return parsed.success ? { keys: parsed.data } : { reason: z.prettifyError(parsed.error) };
}
