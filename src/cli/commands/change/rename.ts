import { quote } from "../../../ui/text/quote.ts";
import type { Given } from "../../arguments/given.ts";
import { changeOne } from "./change-one.ts";

/** Names a session, or clears its name; returns the exit code. */
export function rename(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }) => {
		const [, ...words] = given.words;
		if (entry !== undefined) return { mistake: `rename names a session, not its entry ${entry}` };
		if (words.length === 0) return { mistake: `rename needs a name, or "" to clear it: pi-grove rename SESSION NAME` };
		const name = words.join(" ").trim();
		return {
			effect: { type: "rename", path, name },
			label: name === "" ? "Clear its name" : `Rename it to ${quote(name)}`,
			told: ({ undo, entryId }) => ({
				name,
				before: undo?.type === "rename" ? undo.name : name,
				changed: entryId !== undefined,
			}),
		};
	});
}
