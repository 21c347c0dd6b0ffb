import { z } from "zod";

/** A file in a trash, and the note about it. */
const TrashedSchema = z.object({ path: z.string(), info: z.string() });

/** A `TrashReceipt`. */
const ReceiptSchema = z.object({ path: z.string(), size: z.number(), trashed: TrashedSchema.optional() });

/** How to undo a change. Paths are absolute. */
const UndoSchema = z.discriminatedUnion("type", [
	/** Give the session its old name back, "" for none; `set` is the name that it was given. */
	z.object({ type: z.literal("rename"), path: z.string(), name: z.string(), set: z.string().optional() }),
	/** Give the entry its old label back, "" for none; `set` is the label that it was given. */
	z.object({
		type: z.literal("label"),
		path: z.string(),
		entryId: z.string(),
		label: z.string(),
		set: z.string().optional(),
	}),
	/** Trash the session that was made, which had this size in bytes. */
	z.object({ type: z.literal("created"), path: z.string(), size: z.number() }),
	/** Restore the session from the trash. */
	z.object({ type: z.literal("restore"), receipt: ReceiptSchema }),
	/** Make the old leaf (null: before all entries) the leaf again; the file had this size in bytes after the change. */
	z.object({ type: z.literal("leaf"), path: z.string(), leafId: z.string().nullable(), size: z.number() }),
	/** Move the session, which is at `to` now, back to `path`: out of the archive, or into it. */
	z.object({ type: z.literal("moved"), path: z.string(), to: z.string() }),
	/** Take back the pins and tags that were noted under this name; `path`: the session, or the first of several. */
	z.object({ type: z.literal("mark"), path: z.string(), token: z.string() }),
	/** Take back what was noted under this name of saved queries; `path`: "", since that is about no session. */
	z.object({ type: z.literal("query"), path: z.literal(""), token: z.string() }),
]);

export type Undo = z.infer<typeof UndoSchema>;

/**
 * What is going to be done: enough to find out from the files, after a crash, whether it was done, and how to undo it.
 * Paths are absolute.
 */
const PlanSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("rename"), path: z.string(), set: z.string() }),
	z.object({ type: z.literal("label"), path: z.string(), entryId: z.string(), set: z.string() }),
	/**
	 * A new session with `path` as its parent session will be in `dir`: the path to `entryId`, or all of it for the
	 * project `cwd`. Earlier versions noted neither of these.
	 */
	z.object({
		type: z.literal("create"),
		path: z.string(),
		dir: z.string(),
		entryId: z.string().optional(),
		cwd: z.string().optional(),
	}),
	/** Directories in one of which the system's trash will put the file, which has this size in bytes. */
	z.object({ type: z.literal("trash"), path: z.string(), size: z.number(), trashes: z.array(z.string()) }),
	/** `forward`: the conversation will go on from its end again, which is that entry. */
	z.object({
		type: z.literal("leaf"),
		path: z.string(),
		entryId: z.string(),
		forward: z.literal(true).optional().catch(undefined),
	}),
	/** The session will be moved from `path` to `to`: into the archive, or out of it. */
	z.object({ type: z.literal("move"), path: z.string(), to: z.string() }),
	/** Pins and tags will be noted under this name. */
	z.object({ type: z.literal("mark"), path: z.string(), token: z.string() }),
	/** Saved queries will be noted under this name. */
	z.object({ type: z.literal("query"), path: z.literal(""), token: z.string() }),
	/** The file that the trash has as `trashed` will be at `path`. */
	z.object({ type: z.literal("restore"), path: z.string(), size: z.number(), trashed: TrashedSchema }),
]);

export type Plan = z.infer<typeof PlanSchema>;

/** One run of the program: its process id, and when it started, in Unix ms. */
const RunSchema = z.object({ pid: z.number(), start: z.number() });

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
		receipt: ReceiptSchema.optional(),
	}),
]);

export type JournalLine = z.infer<typeof JournalLineSchema>;
