import type { Effect } from "../../../app/world/state/effect.ts";
import { findSessionRoots } from "../../../catalog/model/session-roots.ts";
import { messageOf } from "../../../store/files/reason.ts";
import type { Given } from "../../arguments/given.ts";
import { EXIT } from "../../print/exit-code.ts";
import { endWith, type Mistake } from "../../print/mistake.ts";
import { type CarriedOut, carryOut, tell } from "./carry-out.ts";
import { printChange } from "./change-json.ts";
import { type Engines, openEngines } from "./engines.ts";

/** Takes back the last change, or the one of the history that is named; returns the exit code. */
export async function undo({ words: [change], sessionDir, yes = false, json }: Given): Promise<number> {
	const engines = openEngines(await findSessionRoots({ sessionDirFlag: sessionDir }));
	try {
		const effect: Effect | Mistake = change === undefined ? { type: "undo" } : await findChange(change, engines);
		if ("mistake" in effect) return endWith(effect);
		let outcome = await carryOut(effect, engines, yes);
		// As in the browser, where the key is pressed again: then it offers to go on with the change before it.
		if (change === undefined && hasFailed(outcome)) outcome = await carryOut(effect, engines, yes);
		const changed = engines.changed();
		await printChange(json, outcome, { undone: outcome.message?.tone === "text", changed });
		const code = tell(outcome);
		return code === EXIT.ok && outcome.message?.tone === "muted" ? EXIT.nothing : code;
	} catch (error) {
		return endWith({ mistake: messageOf(error) });
	} finally {
		await engines.close();
	}
}

function hasFailed({ message, code }: CarriedOut): boolean {
	return message?.tone === "error" && code === undefined;
}

/** What undoes the change, or the group of changes, whose id begins so. Rejects when the journal cannot be read. */
async function findChange(typed: string, { journal }: Engines): Promise<Effect | Mistake> {
	const { changes } = await journal.history.read(Number.MAX_SAFE_INTEGER);
	const groups = new Map(
		changes.flatMap(({ group }) => (group?.id.startsWith(typed) ? [[group.id, group] as const] : [])),
	);
	const found = changes.filter(({ id }) => id.startsWith(typed));
	const [group] = groups.values();
	const [change] = found;
	if (groups.size + found.length > 1)
		return { mistake: `${groups.size + found.length} changes have an id that begins with ${typed}: type more of it` };
	if (group !== undefined) return { type: "undo", of: { group } };
	if (change !== undefined) return { type: "undo", of: { id: change.id } };
	return { mistake: `no change of the history has an id that begins with ${typed}; see pi-grove history` };
}
