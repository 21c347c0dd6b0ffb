import { deleteAllQuestion } from "../../../app/world/questions/several-menus.ts";
import { deleteQuestion } from "../../../app/world/questions/use-menus.ts";
import type { MenuOverlay } from "../../../app/world/state/overlays.ts";
import type { State } from "../../../app/world/state/state.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { guard } from "../../../changes/guard/guard.ts";
import { whyNot } from "../../../changes/guard/guard-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/view.ts";
import type { Given } from "../../arguments/given.ts";
import { EXIT } from "../../print/exit-code.ts";
import { note, remark } from "../../print/output.ts";
import { ask } from "./ask.ts";
import { carryOut, tell } from "./carry-out.ts";
import { printChange } from "./change-json.ts";
import type { Engines } from "./engines.ts";

/** So many of those that stay are named; JSON names all. */
const MOST_NAMED = 10;

/** What else is to be known of the sessions that go. */
type About = (state: State, going: readonly SessionRow[]) => readonly Line[];

/**
 * Asks about these sessions as the browser does, and moves them to the trash; prints which went, and which stay. What is
 * in use stays. What may be in use goes only where a person agrees to it. Returns the exit code.
 */
export async function deleteRows(
	rows: readonly SessionRow[],
	engines: Engines,
	{ yes = false, json }: Given,
	about: About = () => [],
): Promise<number> {
	await engines.store.look(rows.map(({ path }) => path));
	const state = engines.state();
	const going = yes ? rows.filter((row) => isFree(row, state)) : rows;
	const [first, ...others] = going;
	const asked = first === undefined ? undefined : questionAbout(first, others, state, about);
	if (asked === undefined) return EXIT.failed;
	const answer = await ask(asked, yes);
	if ("code" in answer) return answer.code;
	const outcome = await carryOut(answer.effect, engines, yes);
	const deleted = engines.changed();
	const gone = new Set(deleted);
	const left = rows.flatMap(({ path }) => (gone.has(path) ? [] : [path]));
	await printChange(json, outcome, { deleted, left });
	const code = tell(outcome);
	for (const path of left.slice(0, MOST_NAMED)) remark(`still there: ${path}`);
	if (left.length > MOST_NAMED) remark(`and ${formatCount(left.length - MOST_NAMED)} more`);
	return code === EXIT.ok && left.length > 0 ? EXIT.failed : code;
}

/** Whether nothing speaks for its being in use; what does is said. */
function isFree(row: SessionRow, { catalog, now }: State): boolean {
	const why = whyNot(guard("take", catalog.live, row), now);
	if (why !== undefined) note(`${sessionTitle(row)} is not deleted: ${why} Path: ${row.path}`);
	return why === undefined;
}

function questionAbout(first: SessionRow, others: readonly SessionRow[], state: State, about: About): MenuOverlay {
	return others.length === 0 ? deleteQuestion(state, first) : deleteAllQuestion(state, [first, ...others], 0, about);
}
