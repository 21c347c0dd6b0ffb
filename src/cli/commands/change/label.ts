import { quote } from "../../../ui/text/quote.ts";
import type { Given } from "../../arguments/given.ts";
import { entryOf } from "../../find/entry-of.ts";
import { changeOne } from "./change-one.ts";

/** Labels an entry of a session, or removes its label; returns the exit code. */
export function label(given: Given): Promise<number> {
	return changeOne(given, async (target) => {
		const [, ...words] = given.words;
		const entry = await entryOf(target, "pi-grove label SESSION#ENTRY LABEL");
		if ("mistake" in entry) return entry;
		if (words.length === 0)
			return { mistake: `label needs a label, or "" to remove it: pi-grove label SESSION#ENTRY LABEL` };
		const text = words.join(" ").trim();
		return {
			effect: { type: "label", path: target.path, entryId: entry.id, label: text },
			label: text === "" ? `Remove the label of entry ${entry.id}` : `Label entry ${entry.id} ${quote(text)}`,
			told: ({ undo, entryId }) => ({
				entryId: entry.id,
				label: text,
				before: undo?.type === "label" ? undo.label : text,
				changed: entryId !== undefined,
			}),
		};
	});
}
