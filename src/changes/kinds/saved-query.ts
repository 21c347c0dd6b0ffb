import { randomUUID } from "node:crypto";
import type { SavedChange } from "../noted/saved-queries.ts";
import { type ChangeKind, CLEAR, type Read, refuse, type Zod } from "./kind.ts";

/** Saves, renames or deletes a saved query; `what` and `done` say so before and after: "rename …", "Renamed …". */
interface SaveRequest {
	readonly type: "save-query";
	readonly what: string;
	readonly done: string;
	readonly changes: readonly SavedChange[];
}

/** Saved queries will be noted under this name; it is about no session. To undo it, what is noted is taken back. */
const schema = (z: Zod) => z.object({ type: z.literal("query"), path: z.literal(""), token: z.string() });

/** What others have changed since stays as they have left it. */
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
	checkAgain: async () => refuse("queries are saved anew in the list"),
	again() {
		throw new Error("queries are saved anew in the list");
	},
	commandOf: () => undefined,
};
