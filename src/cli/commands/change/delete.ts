import type { SessionRow } from "../../../catalog/model/row.ts";
import { messageOf } from "../../../store/files/reason.ts";
import type { Given } from "../../arguments/given.ts";
import { findTargets, remarkElsewhere } from "../../find/find-targets.ts";
import { endWith } from "../../print/mistake.ts";
import { deleteRows } from "./delete-rows.ts";
import { openEngines } from "./engines.ts";

/** Moves sessions to the trash; returns the exit code. */
export async function deleteSessions(given: Given): Promise<number> {
	const found = await findTargets(given.words, given);
	if ("mistake" in found) return endWith(found);
	const part = found.targets.find(({ entry }) => entry !== undefined);
	if (part !== undefined) return endWith({ mistake: `a session is deleted as a whole, not its entry ${part.entry}` });
	const engines = openEngines(found.sessionRoots);
	try {
		await engines.list();
		const rows: SessionRow[] = [];
		for (const { path } of found.targets) rows.push(await engines.row(path));
		const code = await deleteRows(rows, engines, given);
		if (engines.changed().length > 0) remarkElsewhere(found);
		return code;
	} catch (error) {
		return endWith({ mistake: messageOf(error) });
	} finally {
		await engines.close();
	}
}
