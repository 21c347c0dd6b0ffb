import { changesOf, type HistoryRow } from "../../../changes/journal/history-rows.ts";
import { type Change, isMade } from "../../../changes/kinds/change.ts";
import type { Outlook } from "../../../changes/kinds/kind.ts";
import { capital, formatCount, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { Notice } from "../../world/page/define-rows.ts";
import { layoutWithDetail, textPane } from "../../world/page/page.ts";
import type { State } from "../../world/state/state.ts";
import { drawHistoryRow } from "./draw-history.ts";
import {
	allHistoryRows,
	HISTORY,
	historyRows,
	JOURNAL_CHANGES,
	OUTLOOKS,
	outlooksIn,
	selectedHistoryRow,
	sessionOf,
} from "./history-state.ts";

export const HISTORY_PAGE = definePage<HistoryRow>({
	kind: "history",
	slice: HISTORY,
	name: "history",
	command: "history",
	title: "every change",
	layout: ({ size }) => layoutWithDetail(size),
	rows: historyRows,
	draw:
		(state) =>
		(row, { width, selected }) =>
			drawHistoryRow(row, {
				width,
				selected,
				rows: state.catalog.rows,
				outlooks: outlooksIn(state),
				home: state.environment.home,
				now: state.now,
			}),
	notes: (state) => (JOURNAL_CHANGES.of(state).isLoading ? [[span("reading …", "muted")]] : [[]]),
	position: (state, rows, index) =>
		rows.length === 0
			? ""
			: `${formatCount(index + 1)}/${formatCount(rows.length)}${JOURNAL_CHANGES.of(state).value?.complete ? "" : "+"}`,
	nothing,
	second: (state, box) => textPane(box, [span("this change")], historyDetail(state, box.width - 2)),
	// The last change is known only when the whole journal has been read.
	moved: (next, distance) => ("end" in distance && distance.end === "last" ? readWhole(next) : next),
	finding: {
		all: allHistoryRows,
		readAll: readWhole,
		show(state, row) {
			const group = row.kind === "change" && row.inGroup ? row.change.group?.id : undefined;
			return group === undefined
				? state
				: HISTORY.with(state, { opened: HISTORY.of(state).opened.union(new Set([group])) });
		},
	},
	queries: [JOURNAL_CHANGES, OUTLOOKS],
});

function readWhole(state: State): State {
	return HISTORY.with(state, { wanted: Number.MAX_SAFE_INTEGER });
}

function nothing(state: State): Notice {
	const { value, error } = JOURNAL_CHANGES.of(state);
	if (error !== undefined) return [error, "error"];
	return [value?.complete ? "No change has been made yet." : "Reading …"];
}

/** Details of the change under the cursor, in rows of `width` cells, the most important first. */
function historyDetail(state: State, width: number): Line[] {
	const row = selectedHistoryRow(state);
	if (row === undefined) return [];
	const [change] = changesOf(row);
	if (change === undefined) return [];
	const path = sessionOf(change);
	const where = row.kind === "change" && path !== undefined ? shortenHome(path, state.environment.home) : "";
	const parts = [
		[`${capital(row.kind === "group" ? row.group.what : change.what)}.`, "text"],
		[`${madeWhen(change, state.now)} ${standingOf(state, row)}`, "text"],
		[where, "muted"],
	] as const;
	return parts.flatMap(([text, tone]) =>
		text === "" ? [] : wrapText(sanitizeLine(text), width).map((line) => [span(` ${line}`, tone)]),
	);
}

function madeWhen({ at, isMine, fate }: Change, now: number): string {
	const when = formatDayTime(Date.parse(at), now);
	const verb = fate === "not-made" ? "Begun" : "Made";
	return `${verb} ${when === "" ? "at an unknown time" : when}${isMine ? " in this window." : " by another window or an earlier run."}`;
}

function standingOf(state: State, row: HistoryRow): string {
	const outlooks = outlooksIn(state);
	const changes = changesOf(row);
	const madeChanges = changes.filter(isMade);
	if (madeChanges.length === 0) return standingOver(changes, outlooks, state.now);
	const knownOutlooks = madeChanges.flatMap(({ id }) => outlooks.get(id) ?? []);
	const whys = [...new Set(knownOutlooks.flatMap((outlook) => (outlook.kind === "clear" ? [] : [outlook.why])))];
	if (knownOutlooks.length < madeChanges.length) return "Checking whether it can be undone …";
	if (whys.length === 0)
		return madeChanges.length === 1 ? "It can be undone." : `All ${madeChanges.length} can be undone.`;
	const refused = knownOutlooks.filter(({ kind }) => kind === "refuse").length;
	const waits = new Set(knownOutlooks.flatMap((outlook) => ("waits" in outlook ? (outlook.waits ?? []) : [])));
	if (refused === madeChanges.length && waits.size === whys.length)
		return `Undo first what depends on it: ${[...waits].join(", ")}.`;
	if (refused === 0) return `Undo asks first. ${capital(whys.join(" "))}`;
	const which =
		refused === madeChanges.length
			? "It cannot be undone"
			: `${formatCounted(refused, "of it", "of them")} cannot be undone`;
	return `${which}: ${whys.join("; ")}`;
}

function standingOver(changes: readonly Change[], outlooks: ReadonlyMap<string, Outlook>, now: number): string {
	const [change] = changes;
	if (change?.fate === "not-made") return "It was never made.";
	if (change?.fate === "restored") return "Restored from the trash since.";
	const at = change?.undoneAt === undefined ? "" : ` ${formatDayTime(Date.parse(change.undoneAt), now)}`;
	const outlook = change && outlooks.get(change.id);
	if (changes.length > 1 || outlook === undefined) return `Undone${at}.`;
	if (outlook.kind === "clear") return `Undone${at}. It can be redone.`;
	return `Undone${at}. ${outlook.kind === "ask" ? "Redoing it asks first" : "It cannot be redone"}: ${outlook.why}`;
}
