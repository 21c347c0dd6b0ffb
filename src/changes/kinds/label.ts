import { quote } from "../../ui/text/width.ts";
import { type ChangeKind, type KindTools, OF_SESSION, type SchemaType, type Zod } from "./kind.ts";
import type { SessionsKind } from "./sessions-kind.ts";
import { checkText, checkTextAgain } from "./shared-checks.ts";

/** Gives an entry a label; "" removes it. */
interface LabelRequest {
	readonly type: "label";
	readonly path: string;
	readonly entryId: string;
	readonly label: string;
}

const planSchema = (z: Zod) =>
	z.object({ type: z.literal("label"), path: z.string(), entryId: z.string(), set: z.string() });

/** Undo gives the entry its old label, "" for none; `set`: the label that the change gave it. */
const undoSchema = (z: Zod) =>
	z.object({
		type: z.literal("label"),
		path: z.string(),
		entryId: z.string(),
		label: z.string(),
		set: z.string().optional(),
	});

type Undo = SchemaType<typeof undoSchema>;

export const LABEL: ChangeKind<LabelRequest, SchemaType<typeof planSchema>, Undo> = {
	...OF_SESSION,
	requests: { label: true },
	plan: "label",
	undo: "label",
	planSchema,
	undoSchema,
	nameOf: ({ label }, title) =>
		label === "" ? `remove a label in ${quote(title)}` : `set the label ${quote(label)} in ${quote(title)}`,
	// "set the label “x” in “Title”"
	titleAt: -1,
	actOf: () => "append",
	begin: ({ path, entryId, label }) => ({ type: "label", path, entryId, set: label }),
	async make({ path, entryId: target, label }, _, title, { store }) {
		const session = quote(title);
		const { before = "", entryId } = await store.run("labelEntry", path, target, label === "" ? undefined : label);
		if (entryId === undefined) return { text: `The entry already has ${label === "" ? "no label" : "that label"}` };
		const text = label === "" ? `Label removed in ${session}` : `Label ${quote(label)} set in ${session}`;
		return { text, undo: { type: "label", path, entryId: target, label: before, set: label }, entryId };
	},
	async recover({ path, entryId, set }, at, { own }, { store }) {
		const change = await store.run("findChange", path, { type: "label", entryId, set }, at, own);
		return change && { undo: { type: "label", path, entryId, label: change.before, set }, entryId: change.entryId };
	},
	subjectsOf: ({ path, entryId }) => [{ path, part: `label ${entryId}` }],
	undoActOf: ({ path }) => ({ act: "append", path }),
	check: async (undo, ownEntries, tools) => checkText(await textsOf(undo, ownEntries, tools)),
	async takeBack({ path, entryId, label }, { store }) {
		return { entryId: (await store.run("labelEntry", path, entryId, label === "" ? undefined : label)).entryId };
	},
	checkAgain: async ({ undo }, ownEntries, tools) => checkTextAgain(await textsOf(undo, ownEntries, tools)),
	again: ({ undo: { path, entryId, set = "" } }) => ({ type: "label", path, entryId, label: set }),
	deedOf({ plan, undo }) {
		const label = plan?.set ?? undo?.set;
		return label === "" ? ["remove label", ""] : ["label", label === undefined ? "" : quote(label)];
	},
};

/** Labels the entry of each session from which the conversation goes on; "" removes the label. */
export const LABEL_ENDS: SessionsKind<{ readonly type: "label"; readonly label: string }> = {
	act: "append",
	words({ label }, sessions) {
		if (label === "")
			return {
				now: `remove the label at the end of ${sessions}`,
				past: `Removed the label at the end of ${sessions}`,
				same: "had none",
				doing: "Labeling",
			};
		return {
			now: `label the end of ${sessions} ${quote(label)}`,
			past: `Labeled the end of ${sessions} ${quote(label)}`,
			same: "already had that label",
			doing: "Labeling",
		};
	},
	async make({ label }, { row: { path } }, { makeOne, store }) {
		return makeOne({ type: "label", path, entryId: await store.run("leafOf", path), label });
	},
};

async function textsOf(undo: Undo, ownEntries: ReadonlySet<string>, { store }: Pick<KindTools, "store">) {
	const { path, entryId, label, set } = undo;
	const { label: now } = await store.run("sessionNow", path, { labelOf: entryId, own: ownEntries });
	return { noun: "label", now, set, before: label };
}
