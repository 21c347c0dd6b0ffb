import type { SessionRow } from "../../../catalog/model/row.ts";
import { takeable } from "../../../changes/guard/guard.ts";
import { copiesSum, copySentences } from "../../../conversation/entries/finding-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { PlannedCopy } from "../../../store/doctor/repair-session.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { quote } from "../../../ui/text/width.ts";
import { CANCEL, menu, sentence, titleRow } from "../screen/menus.ts";
import type { MenuOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

/** The question shows at most this many sentences. */
const MAX_SENTENCES = 12;

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
