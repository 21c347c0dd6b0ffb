import type { Given } from "../../arguments/given.ts";
import { entryOf } from "../../find/entry-of.ts";
import { changeOne } from "./change-one.ts";

/** Makes a new session of the path to an entry, and prints where it is; returns the exit code. */
export function branch(given: Given): Promise<number> {
	return changeOne(given, async (target, row) => {
		const { path } = target;
		const entry = await entryOf(target, "pi-grove branch SESSION#ENTRY");
		if ("mistake" in entry) return entry;
		if (row.archived === true)
			return { mistake: `${path} is archived, and a branch would be too: bring it back in the browser first` };
		return {
			effect: { type: "branch", path, entryId: entry.id },
			label: `Make a new session of the path to entry ${entry.id}`,
			told: ({ created }) => ({ entryId: entry.id, created }),
			printed: ({ created }) => created,
		};
	});
}
