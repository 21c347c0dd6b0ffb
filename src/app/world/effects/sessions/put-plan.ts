import { readerOf } from "../../../../changes/files/read-here.ts";
import { patchRoot } from "../../../../edits/patch.ts";
import { type PutOptions, putChanges } from "../../../../edits/put-change.ts";
import type { ChangedFile } from "../../../../edits/session-changes.ts";
import { isDirectory } from "../../../../store/files/paths.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import { shortenHome } from "../../../../ui/text/format.ts";
import type { PutContext, PutPlan } from "../../questions/put-question.ts";
import type { ChangeCapabilities } from "../capabilities.ts";

interface PutRequest
	extends Pick<PutPlan, "direction" | "title" | "commands">,
		Pick<PutOptions, "wants">,
		Pick<PutContext, "rows"> {
	readonly session: Session;
	readonly isRemote: boolean;
	/** The session into whose directory it goes. @default the session itself */
	readonly into?: Session;
	readonly files: readonly ChangedFile[];
}

/** Finds out what taking changes back, or putting them in place, would do in the directory of their session, or of another one. */
export async function planPut(
	{ session, isRemote, into, direction, title, files, commands, wants, rows }: PutRequest,
	{ disk: { home }, store }: Pick<ChangeCapabilities, "disk" | "store">,
): Promise<{ readonly plan: PutPlan; readonly context: PutContext }> {
	const from = await patchRoot(session, isRemote);
	const root = into === undefined ? from : await patchRoot(into, false);
	if (!isDirectory(root)) throw new Error(`${shortenHome(root, home)} is gone`);
	// Neither waits for the other.
	const putting = putChanges(files, { direction, read: readerOf(root, from), wants });
	const [changes, { pis }] = await Promise.all([putting, store.checkUse([session.path])]);
	return {
		plan: { direction, path: session.path, title, root, from, changes, commands },
		context: { home, pis, rows, partly: true },
	};
}
