import { storedName } from "../../store/format/new-entry.ts";
import { quote } from "../../ui/text/width.ts";
import { type ChangeKind, type KindTools, OF_SESSION, type SchemaType, type Zod } from "./kind.ts";
import { checkText, checkTextAgain } from "./shared-checks.ts";

/** Gives a session a name; "" clears it. */
interface RenameRequest {
	readonly type: "rename";
	readonly path: string;
	readonly name: string;
}

const planSchema = (z: Zod) => z.object({ type: z.literal("rename"), path: z.string(), set: z.string() });

/** Undo gives the session its old name, "" for none; `set`: the name that the change gave it. */
const undoSchema = (z: Zod) =>
	z.object({ type: z.literal("rename"), path: z.string(), name: z.string(), set: z.string().optional() });

type Undo = SchemaType<typeof undoSchema>;

export const RENAME: ChangeKind<RenameRequest, SchemaType<typeof planSchema>, Undo> = {
	...OF_SESSION,
	requests: { rename: true },
	plan: "rename",
	undo: "rename",
	planSchema,
	undoSchema,
	nameOf: ({ name }, title) =>
		name === "" ? `clear the name ${quote(title)}` : `rename ${quote(title)} to ${quote(name)}`,
	actOf: () => "append",
	begin: ({ path, name }) => ({ type: "rename", path, set: name }),
	async make({ path, name }, _, title, { store }) {
		const session = quote(title);
		const { before, entryId } = await store.run("renameSession", path, name);
		if (entryId === undefined) return { text: `${session} already has ${name === "" ? "no name" : "that name"}` };
		const text = name === "" ? `Cleared the name ${session}` : `Renamed ${session} to ${quote(name)}`;
		return { text, undo: { type: "rename", path, name: before, set: name }, entryId };
	},
	async recover({ path, set }, at, { own }, { store }) {
		const change = await store.run("findChange", path, { type: "rename", set }, at, own);
		return change && { undo: { type: "rename", path, name: change.before, set }, entryId: change.entryId };
	},
	subjectsOf: ({ path }) => [{ path, part: "name" }],
	undoActOf: ({ path }) => ({ act: "append", path }),
	check: async (undo, ownEntries, tools) => checkText(await textsOf(undo, ownEntries, tools)),
	takeBack: async ({ path, name }, { store }) => ({ entryId: (await store.run("renameSession", path, name)).entryId }),
	checkAgain: async ({ undo }, ownEntries, tools) => checkTextAgain(await textsOf(undo, ownEntries, tools)),
	again: ({ undo }) => ({ type: "rename", path: undo.path, name: undo.set ?? "" }),
	deedOf({ plan, undo }) {
		const name = plan?.set ?? undo?.set;
		return name === "" ? ["clear name", ""] : ["rename", name === undefined ? "" : `to ${quote(name)}`];
	},
};

async function textsOf(
	{ path, name, set }: Undo,
	ownEntries: ReadonlySet<string>,
	{ store }: Pick<KindTools, "store">,
) {
	const { name: now } = await store.run("sessionNow", path, { own: ownEntries });
	return { noun: "name", now, set: set === undefined ? undefined : storedName(set), before: name };
}
