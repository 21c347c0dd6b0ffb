import { stat } from "node:fs/promises";
import { quote } from "../../ui/text/width.ts";
import { type ChangeKind, CLEAR, OF_SESSION, refuse, type SchemaType, type Zod } from "./kind.ts";
import type { SessionsKind } from "./sessions-kind.ts";
import { hasGoneOn, refuseGoneOn } from "./shared-checks.ts";

/** Makes a session go on from an earlier entry. */
interface GoOnRequest {
	readonly type: "go-on";
	readonly path: string;
	readonly entryId: string;
}

/** Makes a session go on from the end of its conversation again, which is this entry. */
interface ForwardRequest {
	readonly type: "forward";
	readonly path: string;
	readonly entryId: string;
}

/** `entryId`: the entry to go on from; `forward`: that is the end of the conversation. */
const planSchema = (z: Zod) =>
	z.object({
		type: z.literal("leaf"),
		path: z.string(),
		entryId: z.string(),
		forward: z.literal(true).optional().catch(undefined),
	});

/** Undo makes the old leaf (null: before all entries) the leaf again; `size`: of the file in bytes after the change. */
const undoSchema = (z: Zod) =>
	z.object({ type: z.literal("leaf"), path: z.string(), leafId: z.string().nullable(), size: z.number() });

export const GO_ON: ChangeKind<
	GoOnRequest | ForwardRequest,
	SchemaType<typeof planSchema>,
	SchemaType<typeof undoSchema>
> = {
	...OF_SESSION,
	requests: { "go-on": true, forward: true },
	plan: "leaf",
	undo: "leaf",
	planSchema,
	undoSchema,
	nameOf: ({ type }, title) =>
		type === "forward" ? forwarded(quote(title)).now : `continue ${quote(title)} from an earlier entry`,
	actOf: ({ type }) => (type === "forward" ? "move-back" : "move-leaf"),
	begin: ({ type, path, entryId }) => ({ type: "leaf", path, entryId, ...(type === "forward" && { forward: true }) }),
	async make({ type, path, entryId: target }, _, title, { store }) {
		const session = quote(title);
		if (type === "forward") {
			const { leafId, entryId } = await store.run("forwardLeaf", path, target);
			if (entryId === undefined) return { text: `${session} already continues from its end` };
			return { text: forwarded(session).past, undo: await undoTo(path, leafId), entryId };
		}
		const { leafId, text, entryId } = await store.run("resumePoint", path, target);
		return { text: `${session} continues from this entry`, undo: await undoTo(path, leafId), entryId, sayAgain: text };
	},
	async recover({ path, entryId }, at, { own }, { store }) {
		const change = await store.run("findChange", path, { type: "leaf", entryId }, at, own);
		return (
			change && { undo: { type: "leaf", path, leafId: change.leafId, size: change.size }, entryId: change.entryId }
		);
	},
	subjectsOf: ({ path }) => [{ path, part: "leaf" }],
	undoActOf: ({ path }) => ({ act: "move-back", path }),
	async check({ path, leafId, size }, ownEntries, { store }) {
		const { since } = await store.run("sessionNow", path, { fromByte: size, own: ownEntries });
		if (since.resumePoint !== undefined && since.resumePoint === leafId) return { kind: "done" };
		return hasGoneOn(since) ? refuseGoneOn(since) : CLEAR;
	},
	takeBack: async ({ path, leafId }, { store }) => ({
		entryId: (await store.run("restoreLeaf", path, leafId)).entryId,
	}),
	async checkAgain({ plan, undo: { path, size } }, ownEntries, { store }) {
		if (plan === undefined) return refuse("the journal does not say from which entry");
		const { since } = await store.run("sessionNow", path, { fromByte: size, own: ownEntries });
		return hasGoneOn(since) ? refuse("the conversation has continued since then") : CLEAR;
	},
	again({ plan, undo: { path } }) {
		if (plan === undefined) throw new Error("the journal does not say how it was made");
		return { type: plan.forward ? "forward" : "go-on", path, entryId: plan.entryId };
	},
	deedOf: ({ plan }) => ["continue", plan?.forward ? "from its end" : "from an earlier entry"],
};

export const FORWARD: SessionsKind<{ readonly type: "forward"; readonly entryId: string }> = {
	act: "move-back",
	words: (_, sessions) => ({ ...forwarded(sessions), doing: "Moving to the end" }),
	make: ({ entryId }, { row: { path } }, { makeOne }) => makeOne({ type: "forward", path, entryId }),
	asks: {
		always: false,
		title: () => "Continue from the end again?",
		label: () => "From the end: adds one line to the session; undo reverts it",
		participle: "changed",
		refusal: "nothing is added to this session",
		danger: false,
		careful: true,
		doubt: "Running pi processes are not affected.",
		notes: () => [{ text: "If you went back there yourself, leave it as it is.", tone: "muted" }],
	},
};

function forwarded(session: string) {
	return { now: `continue ${session} from its end`, past: `${session} continues from its end` };
}

async function undoTo(path: string, leafId: string | null): Promise<SchemaType<typeof undoSchema>> {
	return { type: "leaf", path, leafId, size: (await stat(path)).size };
}
