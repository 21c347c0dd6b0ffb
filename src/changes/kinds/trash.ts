import { lstat, stat } from "node:fs/promises";
import { resolve } from "../../shared/paths.ts";
import { isMoved } from "../../store/actions/move-session.ts";
import { isInTrash, notReported, restoreSession, type TrashReceipt, trashSession } from "../../store/actions/trash.ts";
import { findInTrash, isInSomeTrash, trashDirs } from "../../store/actions/trash-places.ts";
import { isThere } from "../../store/files/paths.ts";
import { storeError } from "../../store/files/store-error.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import { pathOf } from "./change.ts";
import { CREATED, checkBack, restoreAgain } from "./copy.ts";
import { ALL, type ChangeKind, CLEAR, OF_SESSION, refuse, type SchemaType, type Zod } from "./kind.ts";
import type { SessionsKind } from "./sessions-kind.ts";

/** Why a deleted session cannot be restored if its receipt has no place in the trash. */
export const PLACE_UNKNOWN = "it was not found in the system's trash; restore it there";

/** Moves a session to the trash; `size`: of its file in bytes, as the person was shown it. */
interface TrashRequest {
	readonly type: "trash";
	readonly path: string;
	readonly size: number;
}

/** A `TrashedFile`. */
const trashedSchema = (z: Zod) => z.object({ path: z.string(), info: z.string().optional() });

export const receiptSchema = (z: Zod) =>
	z.object({ path: z.string(), size: z.number(), trashed: trashedSchema(z).optional() });

/** `trashes`: the system will put the file into one of these trash directories; `size`: of the file in bytes. */
const planSchema = (z: Zod) =>
	z.object({ type: z.literal("trash"), path: z.string(), size: z.number(), trashes: z.array(z.string()) });

/** Undo restores the session from the trash to `path`; without it, to where it was when it was put there. */
const undoSchema = (z: Zod) =>
	z.object({ type: z.literal("restore"), receipt: receiptSchema(z), path: z.string().optional() });

export const TRASH: ChangeKind<TrashRequest, SchemaType<typeof planSchema>, SchemaType<typeof undoSchema>> = {
	...OF_SESSION,
	requests: { trash: true },
	plan: "trash",
	undo: "restore",
	planSchema,
	undoSchema,
	nameOf: (_, title) => movedToTrash(quote(title)).now,
	actOf: () => "take",
	async begin(request) {
		const path = resolve(request.path);
		return { type: "trash", path, size: await sizeOf(path), trashes: trashDirs(path) };
	},
	async make({ path, size }, _, title) {
		const receipt = await trashSession(path, { size });
		const undoing = receipt.trashed === undefined ? "" : "brings it back";
		return { text: movedToTrash(quote(title)).past, undo: { type: "restore", receipt }, undoing };
	},
	async recover({ path, size, trashes }, at) {
		if (await isThere(path)) return undefined;
		const trashed = await findInTrash(path, size, at, trashes);
		return trashed && { undo: { type: "restore", receipt: { path, size, trashed } } };
	},
	subjectsOf: (undo) => [{ path: pathOf(undo), part: ALL }],
	undoActOf: () => undefined,
	check({ receipt: { trashed } }) {
		if (trashed === undefined || isInSomeTrash(trashed)) return CLEAR;
		return refuse(`the journal names a file that is not in a trash: ${trashed.path}`);
	},
	async outlookOf(undo) {
		const { receipt } = undo;
		if (receipt.trashed === undefined) return refuse(PLACE_UNKNOWN);
		if (!(await isInTrash(receipt))) return refuse("it is no longer in the trash");
		return (await isThere(pathOf(undo))) ? refuse("a file with that name is in its place") : CLEAR;
	},
	async takeBack(undo) {
		await restoreSession(undo.receipt, pathOf(undo));
		return {};
	},
	shownAfter: ({ undo }) => pathOf(undo),
	async checkAgain({ undo }) {
		const path = pathOf(undo);
		if (!(await isThere(path))) return refuse("the session is not where it was");
		const { size } = await stat(path);
		return size === undo.receipt.size ? CLEAR : { kind: "ask", why: "The session has been written to since then." };
	},
	again({ undo }, { rowOf }) {
		const row = rowOf(pathOf(undo));
		if (row === undefined) throw new Error("the session is not in the list");
		return { type: "trash", path: row.path, size: row.size };
	},
	deedOf: () => ["delete", "to the trash"],
};

const CANNOT_UNDO =
	"Undo will not bring it back: macOS lets only terminals with “Full Disk Access” look into the trash.";

/** Moves sessions to the trash; with their runs only if the person chooses that. */
export const TRASH_SESSIONS: SessionsKind<{ readonly type: "trash" }> = {
	act: "take",
	words: (_, sessions, { count }) => ({
		...movedToTrash(sessions),
		doing: "Moving to the trash",
		undoing: `brings ${count === 1 ? "it" : "them"} back`,
	}),
	make: (_, { row: { path, size } }, { makeOne }) => makeOne({ type: "trash", path, size }),
	asks: {
		always: true,
		label: (_, count) => `Move ${count === 1 ? "" : `${formatCounted(count, "session")} `}to the trash`,
		participle: "deleted",
		danger: true,
		careful: true,
		losesForks: true,
		notes: (_, __, { isTrashClosed }) => [
			...(isTrashClosed === true ? [{ text: CANNOT_UNDO, tone: "warning" } as const] : []),
			{ text: "The disk space is free once you empty the system's trash.", tone: "muted" },
		],
		runs: {
			go: "ask",
			note: (runs, isOneRun, isOne) =>
				`If you delete only ${isOne ? "this session" : "these sessions"}, ${runs} ${isOneRun ? "stays in the list on its" : "stay in the list on their"} own.`,
		},
	},
};

/** `sessions`: “Lexer”, or "12 sessions". */
function movedToTrash(sessions: string) {
	return { now: `move ${sessions} to the trash`, past: `Moved ${sessions} to the trash` };
}

async function sizeOf(path: string): Promise<number> {
	try {
		return (await lstat(path)).size;
	} catch (error) {
		throw storeError(path, "move the session to the trash", error);
	}
}

/** Restores a session from the trash to `path`; `title`: its title, since it is not listed. */
interface RestoreRequest {
	readonly type: "restore";
	readonly path: string;
	readonly title: string;
	readonly receipt: TrashReceipt;
}

/** The file that is in the trash as `trashed` will be at `path`. */
const restoreSchema = (z: Zod) =>
	z.object({ type: z.literal("restore"), path: z.string(), size: z.number(), trashed: trashedSchema(z) });

export const RESTORE: ChangeKind<
	RestoreRequest,
	SchemaType<typeof restoreSchema>,
	SchemaType<typeof CREATED.undoSchema>
> = {
	...OF_SESSION,
	...CREATED,
	requests: { restore: true },
	plan: "restore",
	planSchema: restoreSchema,
	nameOf: ({ title }) => `restore ${quote(title)} from the trash`,
	actOf: () => undefined,
	begin({ path, receipt: { size, trashed } }) {
		if (trashed === undefined) throw notReported(path);
		return { type: "restore", path, size, trashed };
	},
	async make({ path, title, receipt }) {
		await restoreSession(receipt, path);
		const undo = { type: "created", path, size: (await stat(path)).size } as const;
		return { text: `Restored ${quote(title)} from the trash`, undo };
	},
	async recover({ path, size, trashed }) {
		return (await isMoved(trashed.path, path)) ? { undo: { type: "created", path, size } } : undefined;
	},
	// After the undo it is in the trash again.
	shownAfter: () => undefined,
	checkAgain: async ({ undo, receipt }) =>
		(await checkBack(undo.path, receipt)) ?? refuse("the session that it made is no longer in the trash"),
	async again(change) {
		const restoring = await restoreAgain(change);
		if (restoring === undefined) throw new Error("the journal does not say how it was made");
		return restoring;
	},
	deedOf: () => ["restore", "from the trash"],
};
