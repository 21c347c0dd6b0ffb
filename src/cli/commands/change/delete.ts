import type { SessionRow } from "../../../catalog/model/row.ts";
import type { FurtherNotes } from "../../../changes/engine/ask.ts";
import { guard } from "../../../changes/guard/guard.ts";
import { whyNot } from "../../../changes/guard/guard-words.ts";
import type { QuestionContext } from "../../../changes/kinds/sessions-kind.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { findTargets, remarkElsewhere } from "../../find/find-target.ts";
import { candidateLines, EXIT, Mistake, note, remark } from "../../print/output.ts";
import { askAndChange, printChange, reportOutcome } from "./carry-out.ts";
import { type Engines, withEngines } from "./engines.ts";

/**
 * Asks about these sessions as the browser does, moves them to the trash, and prints which were moved and which remain.
 * Sessions in use remain; those that may be in use are moved only if a person agrees to it. Returns the exit code.
 */
export async function deleteRows(
	rows: readonly SessionRow[],
	engines: Engines,
	args: Arguments,
	more?: FurtherNotes,
): Promise<number> {
	if (args.yes) await engines.store.checkUse(rows.map(({ path }) => path));
	const context = engines.known();
	const going = (args.yes ? rows.filter((row) => isFree(row, context)) : rows).map(({ path }) => path);
	if (going.length === 0) return EXIT.failed;
	const outcome = await askAndChange({ type: "trash" }, going, engines, args, more);
	if (outcome.message === undefined) return reportOutcome(outcome);
	const deleted = engines.changed();
	const deletedPaths = new Set(deleted);
	const leftPaths = rows.flatMap(({ path }) => (deletedPaths.has(path) ? [] : [path]));
	await printChange(args.json, outcome, { deleted, left: leftPaths });
	const code = reportOutcome(outcome);
	for (const line of candidateLines(leftPaths, (path) => `still there: ${path}`)) remark(line);
	return code === EXIT.ok && leftPaths.length > 0 ? EXIT.failed : code;
}

/** Whether there is no evidence that the session is in use; if there is, it is reported. */
function isFree(row: SessionRow, { live, now }: QuestionContext): boolean {
	const why = whyNot(guard("take", live, row), now);
	if (why !== undefined) note(`${sessionTitle(row)} is not deleted: ${why} Path: ${row.path}`);
	return why === undefined;
}

/** These sessions, each once, and all runs below those that are deleted: what is in use stays with its runs, as in the browser. */
async function withRuns(
	rows: readonly SessionRow[],
	engines: Engines,
	{ yes = false }: Arguments,
): Promise<readonly SessionRow[]> {
	await engines.store.checkUse(rows.map(({ path }) => path));
	const { live, runsBelow } = engines.known();
	const stays = yes ? ["refuse", "ask"] : ["refuse"];
	const all = rows.flatMap((row) =>
		stays.includes(guard("take", live, row).decision) ? [row] : [row, ...runsBelow(row)],
	);
	return [...new Map(all.map((row) => [row.path, row])).values()];
}

export async function deleteSessions(args: Arguments): Promise<number> {
	const named = await findTargets(args.words, args);
	const part = named.targets.find(({ entry }) => entry !== undefined);
	if (part !== undefined) throw new Mistake(`a session is deleted as a whole, not its entry ${part.entry}`);
	return withEngines(named.sessionRoots, async (engines) => {
		await engines.list(args.runs ? "counted" : "listed");
		const rows: SessionRow[] = [];
		for (const { path } of named.targets) rows.push(await engines.row(path));
		const code = await deleteRows(args.runs ? await withRuns(rows, engines, args) : rows, engines, args);
		if (engines.changed().length > 0) remarkElsewhere(named);
		return code;
	});
}
