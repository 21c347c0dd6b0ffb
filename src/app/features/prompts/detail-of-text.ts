import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCount, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { State } from "../../world/state/state.ts";
import { type UseRow, usedAt } from "./use-rows.ts";
import { outcomeSpans } from "./use-words.ts";

/** Where and how often the text under the cursor was used, then as much of the text as fits. */
export function detailOfText(state: State, row: UseRow, width: number, height: number): Line[] {
	const use = usedAt(row);
	if (use === undefined || row.kind === "more") return [];
	const session = state.catalog.rows.get(use.path);
	const title = session === undefined ? cleanText(use.path) : sessionTitle(session);
	const place = [formatDayTime(use.time, state.now), shortenHome(session?.cwd ?? "", state.environment.home)];
	const outcome = outcomeSpans(use);
	const facts: Line = [
		span(place.filter(Boolean).join(" · "), "muted"),
		...(outcome.length === 0 ? [] : [span(" · ", "muted"), ...outcome]),
	];
	const head = [[strong(title)], facts, [span(timesOf(row), "muted")], []].map((line) => cutLine(line, width));
	return [...head, ...textLines(row, width, height - head.length)].slice(0, height);
}

/** "used 12 times in 4 sessions, 3 of them failed". */
function timesOf({ text: { count, sessions, failures } }: Exclude<UseRow, { kind: "more" }>): string {
	const failed = failures === 0 ? "" : `, ${failures === count ? "all" : formatCount(failures)} failed`;
	if (count === 1) return `used once${failures === 0 ? "" : ", failed"}`;
	return `used ${formatCounted(count, "time")} in ${formatCounted(sessions, "session")}${failed}`;
}

function textLines(
	{ text: { text, length } }: Exclude<UseRow, { kind: "more" }>,
	width: number,
	height: number,
): Line[] {
	const rows = wrapText(text, width);
	const isCut = text.length < length;
	if (rows.length <= height && !isCut) return rows.map((row) => [span(row)]);
	const shown = rows.slice(0, Math.max(0, height - 1));
	const more = isCut
		? `… ${formatCount(length)} characters in all`
		: `… ${formatCounted(rows.length - shown.length, "more line")}`;
	return [...shown.map((row) => [span(row)]), [span(more, "muted")]];
}
