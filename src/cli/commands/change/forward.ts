import { rewindSentences, sessionRewind } from "../../../conversation/entries/rewind.ts";
import { readChecked } from "../../../store/held/read-checked.ts";
import type { Given } from "../../arguments/given.ts";
import { changeOne } from "./change-one.ts";

/** Has pi go on from the end of a session again, where a name, a label or the like has moved that; returns the exit code. */
export function forward(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }) => {
		if (entry !== undefined) return { mistake: `forward takes a session, not its entry ${entry}` };
		const rewound = sessionRewind(await readChecked(path));
		if (rewound === undefined) return { nothing: "Nothing was done: it goes on from its end already." };
		return {
			effect: { type: "forward", path, entryId: rewound.endId },
			about: rewindSentences(rewound),
			label: "Go on from its end again: adds one line to the session",
			told: ({ entryId }) => ({ rewound, changed: entryId !== undefined }),
		};
	});
}
