import type { SessionRow } from "../../../catalog/model/row.ts";
import { takeable } from "../../../changes/guard/guard.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { damageKey } from "../../../conversation/tree/tree-rows.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { quote } from "../../../ui/text/width.ts";
import { CANCEL, menu, sentence, titleRow } from "../../world/screen/menus.ts";
import { type MenuOverlay, openOverlay, pageOf } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { chosenDamaged } from "./chosen-rows.ts";
import { copiesSum, copySentences } from "./damaged-sessions.ts";
import { selectedRow } from "./maintenance-rows.ts";

/** Codes of findings about lines without an entry that the tree shows as rows. */
const LOST_LINES: ReadonlySet<string> = new Set(["bad-line", "torn-tail", "line-too-long"]);

/** Closes the view and puts the cursor of the tree on the entry of the finding. */
export function goToFinding(state: State): State {
	const row = selectedRow(state);
	if (row?.type !== "finding") return state;
	const { entryId, code, line } = row.finding;
	const id = LOST_LINES.has(code) && line !== undefined ? damageKey(line) : entryId;
	if (id === undefined) return say(state, "This is about the file, not about an entry of it", "muted");
	const { path } = row;
	const { detail, tree, list } = state;
	const isOpen = detail.status !== "none" && detail.row.path === path;
	const savedCursors = new Map([...tree.savedCursors, [path, id]]);
	return {
		...state,
		overlays: [],
		tree: isOpen ? { ...tree, selected: id } : { ...tree, savedCursors },
		list: { ...list, pendingSelection: path, opensPending: true },
	};
}

/** Plans repaired copies of the chosen sessions, for the question whether to make them. */
export function repairChosen(state: State): Transition {
	return transition(state, { type: "plan-repair", paths: chosenDamaged(state).map(({ path }) => path) });
}

/** The question shows at most this many sentences. */
const MAX_SENTENCES = 12;

/** Asks whether to repair sessions, unless the person has left the view meanwhile. */
export function askToRepair(state: State, planned: ReadonlyMap<string, readonly PlannedCopy[]>): State {
	if (pageOf(state) !== "maintenance" || state.overlays.at(-1)?.kind !== "maintenance") return state;
	const asked = repairQuestion(state, planned);
	return typeof asked === "string" ? say(state, asked, "warning") : openOverlay(state, asked);
}

/** The question, which shows what the copies leave out and change; or why there is nothing to repair. */
export function repairQuestion(
	state: State,
	planned: ReadonlyMap<string, readonly PlannedCopy[]>,
): MenuOverlay | string {
	const { catalog } = state;
	const rows = [...planned].flatMap(([path, copies]) => (copies.length === 0 ? [] : (catalog.here.get(path) ?? [])));
	if (rows.length === 0) return "There is no entry in it: no copy can be made";
	const free = takeable(rows, catalog.live);
	const inUse = rows.length - free.length;
	if (free.length === 0) return "In use: nothing can be repaired now";
	const many = free.length > 1;
	const copies = free.map(({ row }) => ({ row, copies: planned.get(row.path) ?? [] }));
	const sentences = copies.flatMap(({ row, copies: each }) => planLines(many ? row : undefined, each));
	const more = sentences.length - MAX_SENTENCES;
	const sum = copiesSum(copies.flatMap((each) => each.copies));
	const body: Line[] = [
		...sentence(state, `${sum}. The damaged originals go to the trash.`),
		...(inUse === 0 ? [] : sentence(state, `${formatCounted(inUse, "session")} in use: left out.`, "warning")),
		...sentences.slice(0, MAX_SENTENCES),
		...(more > 0 ? [[span(`and ${formatCount(more)} more`, "muted")]] : []),
	];
	const [first] = free;
	const title = many || first === undefined ? formatCounted(free.length, "session") : quote(sessionTitle(first.row));
	const effect = { type: "change-all", change: { type: "repair" }, sessions: free } as const;
	return menu(`Repair ${title}?`, body, { items: [{ label: "Repair", effect }, CANCEL] });
}

function planLines(row: SessionRow | undefined, copies: readonly PlannedCopy[]): Line[] {
	const head: Line[] =
		row === undefined ? [] : [titleRow(sessionTitle(row), "heading"), [span(copiesSum(copies), "muted")]];
	const lines = copies.flatMap((copy): Line[] => {
		const { dropped, changes } = copySentences(copy);
		return [
			...dropped.map((why): Line => [span(sanitizeLine(`left out: ${why}`), "warning")]),
			...changes.map((change): Line => [span(sanitizeLine(`changed: ${change}`))]),
		];
	});
	return [...head, ...lines];
}
