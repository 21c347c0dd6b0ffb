import { goesOnFrom } from "../../../../conversation/entries/leaf.ts";
import { sessionChanges } from "../../../../edits/session-changes.ts";
import { readHeld } from "../../../../store/held/hold-session.ts";
import { putQuestion, rewindQuestion } from "../../questions/put-question.ts";
import type { Action } from "../../state/action.ts";
import type { ChangeCapabilities } from "../capabilities.ts";
import type { EffectOf } from "../runners.ts";
import { planPut } from "./put-plan.ts";

/** Finds out what taking back would do that was changed after an entry, and asks. */
export async function planRewind(
	{ session, entryId, title, runs, others, next, rows }: EffectOf<"plan-rewind">,
	tools: Pick<ChangeCapabilities, "disk" | "store">,
): Promise<Action> {
	const readRuns = await Promise.all(runs.map((path) => readHeld(path)));
	const span = { from: goesOnFrom(session, entryId) ?? undefined, to: session.tree.leafId ?? "" };
	const options = { home: tools.disk.home, rows: others, runs: readRuns };
	const { files, commands, left } = await sessionChanges(session, span, options);
	const request = { session, isRemote: false, direction: "revert", title, files, commands, rows } as const;
	const { plan, context } = await planPut(request, tools);
	return { type: "ask", question: rewindQuestion(plan, context, next, left.length) };
}

/** Finds out what putting in place would do that was changed in a part of a path, and asks. */
export async function planApply(
	{ session, span, title, into, names, others, rows }: EffectOf<"plan-apply">,
	tools: Pick<ChangeCapabilities, "disk" | "store">,
): Promise<Action> {
	const changes = await sessionChanges(session, span, { home: tools.disk.home, rows: others });
	const files = changes.files.filter(({ path, renamedFrom = path, renamedVia = [] }) => {
		return names === undefined || [path, renamedFrom, ...renamedVia].some((name) => names.includes(name));
	});
	const request = { session, isRemote: false, into, direction: "apply", title, files, rows } as const;
	const { plan, context } = await planPut({ ...request, commands: changes.commands }, tools);
	return { type: "ask", question: putQuestion(plan, context) };
}
