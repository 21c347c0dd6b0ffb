import { z } from "zod";
import type { Group, ProgramRun } from "../kinds/change.ts";
import { CHANGE_KINDS, type Plan, type Undo } from "../kinds/kinds.ts";
import { receiptSchema } from "../kinds/trash.ts";

const PlanSchema: z.ZodType<Plan> = unionOf(CHANGE_KINDS.map(({ planSchema }) => planSchema(z)));
// Several kinds may share one way of undoing.
const UndoSchema: z.ZodType<Undo> = unionOf(
	[...new Set(CHANGE_KINDS.map(({ undoSchema }) => undoSchema))].map((schema) => schema(z)),
);

function unionOf<Schema extends z.ZodObject>([first, ...others]: readonly Schema[]) {
	if (first === undefined) throw new Error("there is no kind of change");
	return z.discriminatedUnion("type", [first, ...others]);
}

const RunSchema: z.ZodType<ProgramRun> = z.object({ pid: z.number(), start: z.number(), mark: z.string().optional() });

const GroupSchema: z.ZodType<Group> = z.object({ id: z.string(), what: z.string(), count: z.number() });

/** "given-up": earlier versions no longer offered to undo it. */
const HowOverSchema = z.enum(["not-made", "undone", "given-up"]);

export type HowOver = z.infer<typeof HowOverSchema>;

/** One line of the journal; the lines of one change have the same `id`. */
export const JournalLineSchema = z.discriminatedUnion("step", [
	/**
	 * Written before the change, which `what` describes. `root`: the directory that contains all sessions of the list in which
	 * it was made. `of`: id of the change that it makes again, or that put the session into the trash which it restores. Version 0.1.0
	 * wrote no `root`, `run`, `plan` and `group`.
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
		of: z.string().optional(),
	}),
	/** Written after the change: how to undo it, and the id of the entry that it appended, if any. */
	z.object({ step: z.literal("done"), id: z.string(), undo: UndoSchema, entryId: z.string().optional() }),
	/**
	 * The change was not made, or has been undone, as `how` says, which earlier versions did not write;
	 * `at`: when. `entryId`: of the entry that undid it; `receipt`: of the session that the change made, now in the trash.
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
