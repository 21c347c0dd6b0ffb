import { z } from "zod";

/** A `TrashReceipt`. */
const ReceiptSchema = z.object({
	path: z.string(),
	size: z.number(),
	trashed: z.object({ path: z.string(), info: z.string() }).optional(),
});

/** How to undo a change. */
const UndoSchema = z.discriminatedUnion("type", [
	/** Give the session its old name back; "" for none. */
	z.object({ type: z.literal("rename"), path: z.string(), name: z.string() }),
	/** Give the entry its old label back; "" for none. */
	z.object({ type: z.literal("label"), path: z.string(), entryId: z.string(), label: z.string() }),
	/** Trash the session that was made, if it still has this size in bytes. */
	z.object({ type: z.literal("created"), path: z.string(), size: z.number() }),
	/** Restore the session from the trash. */
	z.object({ type: z.literal("restore"), receipt: ReceiptSchema }),
	/** Make the old leaf (null: before all entries) the leaf again, if the file still has this size in bytes. */
	z.object({ type: z.literal("leaf"), path: z.string(), leafId: z.string().nullable(), size: z.number() }),
]);

export type Undo = z.infer<typeof UndoSchema>;

/** One line of the journal; the lines of one change have the same `id`. */
export const JournalLineSchema = z.discriminatedUnion("step", [
	/** Written before the change; `what` describes it in words. */
	z.object({ step: z.literal("begin"), id: z.string(), at: z.string(), what: z.string() }),
	/** Written after it, with how to undo it. */
	z.object({ step: z.literal("done"), id: z.string(), undo: UndoSchema }),
	/** It was not made, or has been undone. */
	z.object({ step: z.literal("over"), id: z.string() }),
]);

export type JournalLine = z.infer<typeof JournalLineSchema>;
