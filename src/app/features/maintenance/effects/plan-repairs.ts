import { eachSession, tellOutcome } from "../../../../changes/engine/each-session.ts";
import type { LongWork } from "../../../../changes/engine/long-work.ts";
import type { StoreClient } from "../../../../changes/store-thread/store-client.ts";
import type { PlannedCopy } from "../../../../store/doctor/repair-session.ts";
import { quote } from "../../../../ui/text/quote.ts";
import type { Action } from "../../../world/state/action.ts";

interface Tools {
	/** Only reads. */
	readonly lookingStore: StoreClient;
	readonly work: LongWork;
	readonly titleOf: (path: string) => string | undefined;
}

/** Finds out what repaired copies of these sessions would have; nothing is written. Rejects never. */
export async function planRepairs(paths: readonly string[], { lookingStore, work, titleOf }: Tools): Promise<Action> {
	const nameOf = (path: string): string => quote(titleOf(path) ?? path);
	const one = async (path: string): Promise<readonly [string, readonly PlannedCopy[]]> => [
		path,
		await lookingStore.run("planRepair", path),
	];
	const outcome = await eachSession(paths, "Planning repaired copies", { nameOf, one }, work);
	if (outcome.left === 0 && outcome.done.length > 0) return { type: "repair-planned", planned: new Map(outcome.done) };
	const told = { changed: 0, done: "Nothing was repaired", left: "were not looked at" };
	return { type: "done", message: tellOutcome(outcome, told) };
}
