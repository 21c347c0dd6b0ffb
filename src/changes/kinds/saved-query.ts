import { randomUUID } from "node:crypto";
import { nameKey, type SavedChange } from "../noted/saved-queries.ts";
import { type ChangeKind, CLEAR, type SchemaType, type Subject, type Zod } from "./kind.ts";

/** Saves, renames or deletes a saved query; `what` and `done` describe that before and after: "rename …", "Renamed …". */
interface SaveRequest {
	readonly type: "save-query";
	readonly what: string;
	readonly done: string;
	readonly changes: readonly SavedChange[];
}

/**
 * The change will be in the file of saved queries under this token, and undo takes back what is there; it is about no session. `names`:
 * of the queries (`nameKey`), which version 0.2.0 did not write.
 */
const schema = (z: Zod) =>
	z.object({
		type: z.literal("query"),
		path: z.literal(""),
		token: z.string(),
		names: z.array(z.string()).optional(),
	});

/** An undo leaves alone what other windows have changed since. A later change of a query of the same name depends on an earlier one. */
export const SAVED_QUERY: ChangeKind<SaveRequest, SchemaType<typeof schema>, SchemaType<typeof schema>> = {
	requests: { "save-query": true },
	plan: "query",
	undo: "query",
	planSchema: schema,
	undoSchema: schema,
	pathOf: () => "",
	nameOf: ({ what }) => what,
	titleAt: 0,
	actOf: () => undefined,
	begin: ({ changes }) => ({
		type: "query",
		path: "",
		token: randomUUID(),
		names: changes.flatMap((change) => ("name" in change ? [nameKey(change.name)] : [])),
	}),
	make({ done, changes }, plan, _, { saved }) {
		saved.append(plan.token, changes);
		return { text: done, undo: plan };
	},
	recover: async (plan, _at, _since, { saved }) => (saved.has(plan.token) ? { undo: plan } : undefined),
	subjectsOf: queriesOf,
	plannedSubjects: queriesOf,
	undoActOf: () => undefined,
	check: () => CLEAR,
	takeBack({ token }, { saved }) {
		saved.takeBack(token);
		return {};
	},
	shownAfter: () => undefined,
	checkAgain: async () => CLEAR,
	again: ({ what, undo: { token } }, { saved }) => ({
		type: "save-query",
		what,
		done: `Redone: ${what}`,
		changes: saved.notedAs(token),
	}),
};

function queriesOf({ path, token, names }: SchemaType<typeof schema>): readonly Subject[] {
	return (names ?? [token]).map((name) => ({ path, part: `query ${name}` }));
}
