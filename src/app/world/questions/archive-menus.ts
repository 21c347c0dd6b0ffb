import type { SessionRow } from "../../../catalog/model/row.ts";
import { guard, type Shown, verdictOn } from "../../../changes/guard/guard.ts";
import { whyNot } from "../../../changes/guard/guard-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { capital, formatCounted, formatSize } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { quote } from "../../../ui/text/width.ts";
import { familiesOf, runsBelow, runsBeside } from "../list/families.ts";
import { CANCEL, menu, sentence, titleRow } from "../screen/menus.ts";
import type { Effect } from "../state/effect.ts";
import { type MenuOverlay, withOverlay } from "../state/overlays.ts";
import { type State, say, type Transition, transition } from "../state/state.ts";

/**
 * Archives sessions, or restores them if all are archived. Asks only about several sessions, or one that may be in use. Runs of
 * subagents stay in the directory of their session, which no other program lists; those beside it go with it.
 */
export function archiveOrBringBack(state: State, rows: readonly SessionRow[]): Transition {
	const listed = rows.filter(({ archived }) => archived !== true);
	if (listed.length > 0) return archive(state, listed);
	const along = runsAlong(state, rows).filter(({ archived }) => archived === true);
	const effect: Effect = { type: "bring-back", paths: [...rows, ...along].map(({ path }) => path) };
	if (rows.length === 1) return transition(state, effect);
	const title = `Bring ${formatCounted(rows.length, "session")} back from the archive?`;
	const items = [{ label: "Bring them back", effect }, CANCEL];
	return withOverlay(state, menu(title, [[span(sumOf(rows), "muted")]], { items }));
}

/** The runs beside these sessions that are not among them. */
function runsAlong({ catalog }: State, rows: readonly SessionRow[]): readonly SessionRow[] {
	const families = familiesOf(catalog.rows);
	const chosen = new Set(rows);
	return rows.flatMap((row) => runsBeside(row, families)).filter((run) => !chosen.has(run));
}

function archive(state: State, rows: readonly SessionRow[]): Transition {
	const { live } = state.catalog;
	const shown = rows.map((row) => ({ row, ...guard("take", live, row) }));
	const used = shown.filter(({ decision }) => decision === "refuse");
	const free = shown.filter(({ decision }) => decision !== "refuse");
	if (free.length === 0) return transition(say(state, refusal(state, used), "warning"));
	const doubtful = free.filter(({ uses }) => uses.length > 0);
	const along = runsAlong(
		state,
		free.map(({ row }) => row),
	).flatMap((row): Shown[] => {
		const isFree = row.archived !== true && guard("take", live, row).decision === "free";
		return isFree ? [{ row, uses: [] }] : [];
	});
	const effect: Effect = { type: "archive", sessions: [...free, ...along] };
	if (rows.length === 1 && doubtful.length === 0) return transition(state, effect);
	return withOverlay(state, archiveQuestion(state, effect, used, doubtful));
}

/** Asks once for all sessions; names those left out, and those that may be in use. */
function archiveQuestion(
	state: State,
	effect: Extract<Effect, { type: "archive" }>,
	used: readonly Shown[],
	doubtful: readonly Shown[],
): MenuOverlay {
	const rows = effect.sessions.map(({ row }) => row);
	const [first] = rows;
	const isOne = rows.length === 1;
	const [doubt] = doubtful;
	const reason = doubt === undefined ? "" : capital(whyNot(verdictOn("take", doubt.uses), state.now) ?? "");
	const body: Line[] = [
		isOne && first !== undefined ? titleRow(sessionTitle(first)) : [strong(sumOf(rows))],
		...(used.length === 0 ? [] : sentence(state, refusal(state, used), "warning")),
		...(doubtful.length === 0
			? []
			: sentence(state, isOne ? reason : `${countOf(doubtful)} may be in use. ${reason}`, "warning")),
		...runsNote(state, rows),
		...sentence(
			state,
			isOne
				? "It stays readable and searchable in the scope “archived”, and undo brings it back."
				: "They stay readable and searchable in the scope “archived”, and undo brings them back.",
			"muted",
		),
	];
	const act = { label: doubtful.length > 0 ? "Archive anyway" : "Archive", effect };
	const title = isOne ? "Archive this session?" : `Archive ${formatCounted(rows.length, "session")}?`;
	return menu(title, body, { items: [act, CANCEL], index: doubtful.length > 0 ? 1 : 0 });
}

/** Says that the runs of subagents below these sessions are archived, too. */
function runsNote(state: State, rows: readonly SessionRow[]): readonly Line[] {
	const families = familiesOf(state.catalog.rows);
	const chosen = new Set(rows);
	const runs = new Set(rows.flatMap((row) => runsBelow(row, families)).filter((run) => !chosen.has(run)));
	if (runs.size === 0) return [];
	const [whose, whom] = rows.length === 1 ? ["Its", "it"] : ["Their", "them"];
	const are = runs.size === 1 ? "is" : "are";
	return sentence(state, `${whose} ${formatCounted(runs.size, "subagent run")} ${are} archived with ${whom}.`);
}

/** For resuming an archived session: pi does not list it, so it has to be restored first. */
export function resumeArchivedMenu(state: State, row: SessionRow): MenuOverlay {
	const paths = [row.path];
	const resume = { cwd: row.cwd || state.environment.cwd };
	return menu(
		"This session is archived",
		[titleRow(sessionTitle(row)), ...sentence(state, "pi resumes only sessions in its session directory.")],
		{
			items: [
				{ label: "Bring it back and resume it", effect: { type: "bring-back", paths, resume } },
				{ label: "Bring it back", effect: { type: "bring-back", paths } },
				CANCEL,
			],
		},
	);
}

function refusal(state: State, used: readonly Shown[]): string {
	const [first] = used;
	if (first === undefined) return "";
	const title = quote(sessionTitle(first.row));
	const whom = used.length === 1 ? `${title} is not archived` : `${countOf(used)} are not archived. ${title}`;
	return `${whom}: ${whyNot(verdictOn("take", first.uses), state.now) ?? ""}`;
}

function countOf(shown: readonly Shown[]): string {
	return formatCounted(shown.length, "session");
}

function sumOf(rows: readonly SessionRow[]): string {
	const bytes = rows.reduce((sum, { size }) => sum + size, 0);
	return `${formatCounted(rows.length, "session")}, ${formatSize(bytes)}`;
}
