import { z } from "zod";
import { KINDS, type Plan, type Undo } from "../kinds/kinds.ts";
import { receiptSchema } from "../kinds/trash.ts";

const PlanSchema: z.ZodType<Plan> = unionOf(KINDS.map(({ planSchema }) => planSchema(z)));
// Kinds of change may be undone in the same way.
const UndoSchema: z.ZodType<Undo> = unionOf(
	[...new Set(KINDS.map(({ undoSchema }) => undoSchema))].map((schema) => schema(z)),
);

function unionOf<Schema extends z.ZodObject>([first, ...others]: readonly Schema[]) {
	if (first === undefined) throw new Error("there is no kind of change");
	return z.discriminatedUnion("type", [first, ...others]);
}

/** A run of the program. `mark`: tells its process from a later one with the same pid (`processMark`); since 0.2.0. */
const RunSchema = z.object({ pid: z.number(), start: z.number(), mark: z.string().optional() });

export type Run = z.infer<typeof RunSchema>;

/** What is done to many sessions at once: changes that have the same group id are undone together. */
const GroupSchema = z.object({
	id: z.string(),
	/** What is done to all of them, in words: "move 12 sessions to the trash". */
	what: z.string(),
	/** How many sessions that was going to be. */
	count: z.number(),
});

export type Group = z.infer<typeof GroupSchema>;

const HowOverSchema = z.enum(["not-made", "undone", "given-up"]);

/** Why a change is not to be undone any more. */
export type HowOver = z.infer<typeof HowOverSchema>;

/** One line of the journal; the lines of one change have the same `id`. */
export const JournalLineSchema = z.discriminatedUnion("step", [
	/**
	 * Written before the change; `what` describes it in words. `root` is the directory that contains all sessions of the
	 * list in which it was made. Version 0.1.0 wrote neither that nor `run` and `plan`, and knew no groups.
	 */
	z.object({
		step: z.literal("begin"),
		id: z.string(),
		at: z.string(),
		what: z.string(),
		root: z.string().optional(),
		run: RunSchema.optional(),
		plan: PlanSchema.optional(),
		group: GroupSchema.optional(),
	}),
	/** Written after it, with how to undo it, and the id of the entry that was appended, if one was. */
	z.object({ step: z.literal("done"), id: z.string(), undo: UndoSchema, entryId: z.string().optional() }),
	/**
	 * It was not made, has been undone, or is not to be offered any more, as `how` says, which earlier versions did not
	 * note; `at`: when. `entryId`: of the entry that undid it; `receipt`: where the trash has the session that was made by it.
	 */
	z.object({
		step: z.literal("over"),
		id: z.string(),
		at: z.string().optional(),
		how: HowOverSchema.optional().catch(undefined),
		entryId: z.string().optional(),
		receipt: receiptSchema(z).optional(),
	}),
]);

export type JournalLine = z.infer<typeof JournalLineSchema>;
