import { describeOutcome, eachSession } from "../../../../changes/engine/each-session.ts";
import { reasonSentence } from "../../../../changes/reason.ts";
import { unreadable } from "../../../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../../../store/doctor/repair-session.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { fateOf } from "../../../world/effects/directories.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";

type MaintenanceEffectType = "examine" | "plan-repair" | "check-destination";

export const MAINTENANCE_EFFECTS: Runners<MaintenanceEffectType> = {
	async examine({ paths, check }, { store, terminal }) {
		// A failure is a finding.
		const one = (path: string) =>
			store.readThread.run("examineSession", path).catch((error: unknown) => unreadable(path, reasonSentence(error)));
		const outcome = await eachSession(paths, "Examining", { nameOf: (path) => path, one }, terminal.work);
		return { type: "examined", paths, check, found: outcome.done, left: outcome.left };
	},
	"plan-repair": ({ paths }, tools) => planRepairs(paths, tools),
	async "check-destination"({ directory, destination }, { disk }) {
		return { type: "destination-checked", directory, fate: await fateOf(directory, disk.readDisk), destination };
	},
};

/** Finds out what repaired copies of these sessions would contain; writes nothing. Never rejects. */
async function planRepairs(
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
	const words = { changed: 0, done: "Nothing was repaired", left: "were not checked" };
	return { type: "done", message: describeOutcome(outcome, words) };
}
