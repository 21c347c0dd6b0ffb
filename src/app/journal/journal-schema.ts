import { z } from "zod";

/** Where a session lies in the trash, as `trashSession` tells. */
const ReceiptSchema = z.object({
	path: z.string(),
	size: z.number(),
	trashed: z.object({ path: z.string(), info: z.string() }).optional(),
});

/** How to take back something that was done. */
export const UndoSchema = z.discriminatedUnion("type", [
	/** Give the session its old name; "" for none. */
	z.object({ type: z.literal("rename"), path: z.string(), name: z.string() }),
	/** Give the entry its old label; "" for none. */
	z.object({ type: z.literal("label"), path: z.string(), entryId: z.string(), label: z.string() }),
	/** Trash the session that was made, as long as it still has this size in bytes. */
	z.object({ type: z.literal("created"), path: z.string(), size: z.number() }),
	/** Bring the session back from the trash. */
	z.object({ type: z.literal("restore"), receipt: ReceiptSchema }),
	/** Make the old leaf (null: before all entries) the leaf again, as long as the file still has this size in bytes. */
	z.object({ type: z.literal("leaf"), path: z.string(), leafId: z.string().nullable(), size: z.number() }),
]);

export type Undo = z.infer<typeof UndoSchema>;

/** One line of the journal; the lines of one action have the same `id`. */
export const JournalLineSchema = z.discriminatedUnion("step", [
	/** Written before the action; `what` says it in words. */
	z.object({ step: z.literal("begin"), id: z.string(), at: z.string(), what: z.string() }),
	/** Written after it, with the way back. */
	z.object({ step: z.literal("done"), id: z.string(), undo: UndoSchema }),
	/** It did not happen, or has been taken back. */
	z.object({ step: z.literal("over"), id: z.string() }),
]);

export type JournalLine = z.infer<typeof JournalLineSchema>;
