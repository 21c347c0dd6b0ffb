import { stat } from "node:fs/promises";
import { isMoved } from "../../store/actions/move-session.ts";
import { notTold, restoreSession, type TrashReceipt } from "../../store/actions/trash.ts";
import { quote } from "../../ui/text/width.ts";
import { CREATED, checkBack, restoreAgain } from "./copy.ts";
import { ALL, type ChangeKind, type Read, refuse, type Zod } from "./kind.ts";
import { trashedSchema } from "./trash.ts";

/** Restores a session from the trash to `path`; `title`: its title, since it is not listed. */
interface RestoreRequest {
	readonly type: "restore";
	readonly path: string;
	readonly title: string;
	readonly receipt: TrashReceipt;
}

/** The file that is in the trash as `trashed` will be at `path`. */
const planSchema = (z: Zod) =>
	z.object({ type: z.literal("restore"), path: z.string(), size: z.number(), trashed: trashedSchema(z) });

export const RESTORE: ChangeKind<RestoreRequest, Read<typeof planSchema>, Read<typeof CREATED.undoSchema>> = {
	...CREATED,
	requests: { restore: true },
	plan: "restore",
	planSchema,
	pathOf: ({ path }) => path,
	nameOf: ({ title }) => `restore ${quote(title)} from the trash`,
	titleAt: 0,
	actOf: () => undefined,
	begin({ path, receipt: { size, trashed } }) {
		if (trashed === undefined) throw notTold(path);
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
	plannedSubjects: ({ path }) => [{ path, part: ALL }],
	// After the undo it is in the trash again.
	shownAfter: () => undefined,
	checkAgain: async ({ undo, receipt }) =>
		(await checkBack(undo.path, receipt)) ?? refuse("the session that it made is no longer in the trash"),
	async again(made) {
		const restoring = await restoreAgain(made);
		if (restoring === undefined) throw new Error("the journal does not say how it was made");
		return restoring;
	},
	commandOf: (_, { session }) => ["restore", session],
};
