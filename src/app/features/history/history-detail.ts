import { type Change, isMade, pathOf } from "../../../changes/kinds/change.ts";
import { capital, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { State } from "../../world/state/state.ts";
import { changesOf, type HistoryRow, selectedHistoryRow } from "./history-rows.ts";
import { HISTORY, type HistoryState } from "./history-state.ts";

/** Details of the change under the cursor, in rows of `width` cells, the most important first. */
export function historyDetail(state: State, width: number): Line[] {
	const row = selectedHistoryRow(HISTORY.of(state));
	if (row === undefined) return [];
	const [change] = changesOf(row);
	if (change === undefined) return [];
	const path = change.undo === undefined ? change.plan?.path : pathOf(change.undo);
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
	const { outlooks } = HISTORY.of(state);
	const changes = changesOf(row);
	const made = changes.filter(isMade);
	if (made.length === 0) return standingOver(changes, outlooks, state.now);
	const told = made.flatMap(({ id }) => outlooks.get(id) ?? []);
	const whys = [...new Set(told.flatMap((outlook) => (outlook.kind === "clear" ? [] : [outlook.why])))];
	if (told.length < made.length) return "Checking whether it can be undone …";
	if (whys.length === 0) return made.length === 1 ? "It can be undone." : `All ${made.length} can be undone.`;
	const refused = told.filter(({ kind }) => kind === "refuse").length;
	if (refused === 0) return `Undo asks first. ${capital(whys.join(" "))}`;
	const which =
		refused === made.length ? "It cannot be undone" : `${formatCounted(refused, "of it", "of them")} cannot be undone`;
	return `${which}: ${whys.join("; ")}`;
}

function standingOver(changes: readonly Change[], outlooks: HistoryState["outlooks"], now: number): string {
	const [change] = changes;
	if (change?.fate === "not-made") return "It was not made.";
	if (change?.fate === "given-up") return "It was made; it could not be undone, and is no longer offered.";
	const at = change?.undoneAt === undefined ? "" : ` ${formatDayTime(Date.parse(change.undoneAt), now)}`;
	const outlook = change && outlooks.get(change.id);
	if (changes.length > 1 || outlook === undefined) return `Undone${at}.`;
	if (outlook.kind === "clear") return `Undone${at}. It can be redone.`;
	return `Undone${at}. ${outlook.kind === "ask" ? "Redoing it asks first" : "It cannot be redone"}: ${outlook.why}`;
}
