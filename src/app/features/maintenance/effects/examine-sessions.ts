import { describeOutcome, eachSession } from "../../../../changes/engine/each-session.ts";
import { sentence } from "../../../../changes/reason.ts";
import type { StoreClient } from "../../../../changes/store-thread/store-client.ts";
import { type Examination, unreadable } from "../../../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../../../store/doctor/repair-session.ts";
import type { SessionHead } from "../../../../store/doctor/session-head.ts";
import type { ContainedSessions } from "../../../../store/duplicates/contained-sessions.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import type { Action } from "../../../world/state/action.ts";
import type { Family } from "../families.ts";

/** Findings of this time, in ms, are shown together. */
const BATCH_MS = 100;

/** A store thread that only reads. */
type ReadThread = Pick<StoreClient, "run">;

/** Examines the first of these sessions: at least one, and as many as there is time for. A failure is a finding. */
export async function examineSome(paths: readonly string[], thread: ReadThread): Promise<Examination[]> {
	const end = performance.now() + BATCH_MS;
	const found: Examination[] = [];
	for (const path of paths) {
		found.push(await thread.run("examineSession", path).catch((error: unknown) => unreadable(path, sentence(error))));
		if (performance.now() >= end) break;
	}
	return found;
}

/** Reads how these sessions begin. Rejects when the reading thread dies. */
export async function readHeads(paths: readonly string[], thread: ReadThread): Promise<SessionHead[]> {
	const found: SessionHead[] = [];
	for (const path of paths) found.push(await thread.run("readHead", path));
	return found;
}

/**
 * Which sessions of each family are wholly contained in another one of it, by the family's key. A family that cannot be compared
 * proposes nothing, and is compared again when its files have changed.
 */
export async function compareFamilies(
	families: readonly Family[],
	thread: ReadThread,
): Promise<Map<string, readonly ContainedSessions[]>> {
	const contained = new Map<string, readonly ContainedSessions[]>();
	for (const { key, paths } of families)
		contained.set(key, await thread.run("compareFamily", paths[0] ?? "", paths).catch(() => []));
	return contained;
}

/** Finds out what repaired copies of these sessions would contain; writes nothing. Never rejects. */
export async function planRepairs(
	paths: readonly string[],
	{ store, terminal }: Pick<Capabilities, "store" | "terminal">,
): Promise<Action> {
	const nameOf = (path: string): string => quote(store.titleOf(path) ?? path);
	const one = async (path: string): Promise<readonly [string, readonly PlannedCopy[]]> => [
		path,
		await store.readThread.run("planRepair", path),
	];
	const outcome = await eachSession(paths, "Planning repaired copies", { nameOf, one }, terminal.work);
	if (outcome.left === 0 && outcome.done.length > 0) return { type: "repair-planned", planned: new Map(outcome.done) };
	const words = { changed: 0, done: "Nothing was repaired", left: "were not looked at" };
	return { type: "done", message: describeOutcome(outcome, words) };
}
