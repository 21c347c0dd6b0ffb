import { randomUUID } from "node:crypto";
import type { SavedChange } from "../noted/saved-queries.ts";
import { type ChangeKind, CLEAR, type Read, refuse, type Zod } from "./kind.ts";

/** Saves, renames or deletes a saved query; `what` and `done` describe that before and after: "rename …", "Renamed …". */
interface SaveRequest {
	readonly type: "save-query";
	readonly what: string;
	readonly done: string;
	readonly changes: readonly SavedChange[];
}

/** The change will be in the file of saved queries under this token, and undo takes back what is there; it is about no session. */
const schema = (z: Zod) => z.object({ type: z.literal("query"), path: z.literal(""), token: z.string() });

const NO_REDO = "saved queries cannot be redone; save it in the list again";

/** An undo leaves alone what other windows have changed since. */
export const SAVED_QUERY: ChangeKind<SaveRequest, Read<typeof schema>, Read<typeof schema>> = {
	requests: { "save-query": true },
	plan: "query",
	undo: "query",
	planSchema: schema,
	undoSchema: schema,
	pathOf: () => "",
	nameOf: ({ what }) => what,
	titleAt: 0,
	actOf: () => undefined,
	begin: () => ({ type: "query", path: "", token: randomUUID() }),
	make({ done, changes }, plan, _, { saved }) {
		saved.append(plan.token, changes);
		return { text: done, undo: plan };
	},
	recover: async (plan, _at, _since, { saved }) => (saved.has(plan.token) ? { undo: plan } : undefined),
	subjectsOf: ({ path, token }) => [{ path, part: `query ${token}` }],
	plannedSubjects: () => [],
	undoActOf: () => undefined,
	check: () => CLEAR,
	takeBack({ token }, { saved }) {
		saved.takeBack(token);
		return {};
	},
	shownAfter: () => undefined,
	checkAgain: async () => refuse(NO_REDO),
	again() {
		throw new Error(NO_REDO);
	},
	commandOf: () => undefined,
};
