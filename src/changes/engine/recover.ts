import { isStillRunning } from "../../catalog/live/processes.ts";
import { isRunning } from "../../shared/system.ts";
import { LONGEST_CHANGE_MS } from "../../store/actions/session-history.ts";
import { isInTrash } from "../../store/actions/trash.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { madeSteps } from "../journal/step.ts";
import type { Change, ProgramRun } from "../kinds/change.ts";
import { kindOfPlan } from "../kinds/kinds.ts";
import type { UndoableChange } from "./outlooks.ts";
import type { RecoverTools } from "./tools.ts";

/**
 * Whether undo could bring back a session from the trash: then a list without sessions still has something to offer. False
 * if the journal cannot be read.
 */
export async function canBringBack(tools: RecoverTools): Promise<boolean> {
	try {
		for await (const { changes } of madeSteps(tools.history)) {
			for (const change of changes) {
				if (!isDeletion(change) || isUnderWay(change, tools)) continue;
				const undo = (await recovered(change, tools).catch(() => undefined))?.undo;
				if (undo?.type === "restore" && (await isInTrash(undo.receipt))) return true;
			}
		}
	} catch {
		// This only decides which list to open; undo itself reports the error.
	}
	return false;
}

function isDeletion({ plan, undo }: Change): boolean {
	return undo === undefined ? plan?.type === "trash" : undo.type === "restore";
}

/**
 * Completes what a killed run did not record: how to undo the change, or, as undefined, that it was not made. Rejects if that
 * cannot be found out now.
 */
export async function recovered(change: Change, tools: RecoverTools): Promise<UndoableChange | undefined> {
	const { id, undo, plan, at } = change;
	if (undo !== undefined) return { ...change, undo };
	if (plan === undefined) return undefined;
	const { history, journal } = tools;
	const since = { changes: history.since(id), own: history.ownEntries() };
	const result = await kindOfPlan(plan).recover(plan, at, since, tools).catch(unlessGone);
	const noting = result ? journal.done(id, result.undo, result.entryId) : journal.discard(id);
	// If it cannot be recorded, it is found out again the next time.
	await noting.catch(() => undefined);
	return result && { ...change, undo: result.undo };
}

/** If the session is gone, nothing is left in which the change could be undone. */
function unlessGone(error: unknown): undefined {
	if (!(error instanceof StoreError && error.code === "ENOENT")) throw error;
}

/** Whether another program may be making the change right now. */
export function isUnderWay({ undo, run, at, isMine }: Change, { journal, clock }: RecoverTools): boolean {
	if (undo !== undefined || run === undefined || isMine) return false;
	return run.pid !== journal.run.pid && clock() - Date.parse(at) < LONGEST_CHANGE_MS && isAlive(run);
}

/** Whether the process of a run is still running; a killed one keeps its pid until its parent has waited for it. */
export function isAlive({ pid, mark }: ProgramRun): boolean {
	return mark === undefined || mark === "" ? isRunning(pid) : isStillRunning({ pid, mark });
}

/** Why a change that another program is still making cannot be undone yet. */
export function whyUnderWay({ run }: Pick<Change, "run">): string {
	const who = run === undefined ? "another pi-grove" : `another pi-grove (pid ${run.pid})`;
	return `${who} is still making it; undo it when that has finished`;
}
