import type { Effect } from "../../../app/world/state/effect.ts";
import { findSessionRoots } from "../../../catalog/model/session-roots.ts";
import type { Given } from "../../arguments/arguments.ts";
import { EXIT, failWith, type Mistake } from "../../print/output.ts";
import { carryOut, printChange, reportOutcome } from "./carry-out.ts";
import { type Engines, withEngines } from "./engines.ts";

/** Undoes the last change, or the named one; returns the exit code. */
export async function undo({ words: [change], sessionDir, yes = false, json }: Given): Promise<number> {
	return withEngines(await findSessionRoots({ sessionDirFlag: sessionDir }), async (engines) => {
		const effect: Effect | Mistake = change === undefined ? { type: "undo" } : await findChange(change, engines);
		if ("mistake" in effect) return failWith(effect);
		let outcome = await carryOut(effect, engines, yes);
		// As if the key were pressed again in the browser, which then offers to undo the change before it.
		if (change === undefined && outcome.message?.tone === "error" && outcome.code === undefined)
			outcome = await carryOut(effect, engines, yes);
		const changed = engines.changed();
		await printChange(json, outcome, { undone: outcome.message?.tone === "text", changed });
		const code = reportOutcome(outcome);
		return code === EXIT.ok && outcome.message?.tone === "muted" ? EXIT.nothing : code;
	});
}

/** The effect that undoes the change, or the group, whose id begins with `typed`. Rejects when the journal cannot be read. */
async function findChange(typed: string, { journal }: Engines): Promise<Effect | Mistake> {
	const { changes } = await journal.history.read(Number.MAX_SAFE_INTEGER);
	const groups = new Map(
		changes.flatMap(({ group }) => (group?.id.startsWith(typed) ? [[group.id, group] as const] : [])),
	);
	const found = changes.filter(({ id }) => id.startsWith(typed));
	const [group] = groups.values();
	const [change] = found;
	if (groups.size + found.length > 1)
		return { mistake: `${groups.size + found.length} changes have an id that begins with ${typed}; type more of it` };
	if (group !== undefined) return { type: "undo", of: { group } };
	if (change !== undefined) return { type: "undo", of: { id: change.id } };
	return { mistake: `no change of the history has an id that begins with ${typed}; see pi-grove history` };
}
