import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { outcomeSpans } from "../../../conversation/entries/use-outcome.ts";
import { filterTitle, paneName, titleRoom } from "../../../ui/pane-title.ts";
import { formatCount, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { choice, inRow, type Line, span, strong } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Box } from "../../../ui/view.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { Notice } from "../../world/page/define-rows.ts";
import { layoutWithPreview, textPane } from "../../world/page/page.ts";
import { type AppPane, type State, transition } from "../../world/state/state.ts";
import { drawUseRow, isWhole } from "./draw-use-row.ts";
import {
	editUses,
	FOUND_USES,
	isUsesAnswered,
	isUsesComplete,
	selectedUseRow,
	selectUseRows,
	USES,
	type UseRow,
	usedAt,
	withLimit,
} from "./uses-state.ts";

export const USES_PAGE = definePage<UseRow>({
	kind: "prompts",
	slice: USES,
	field: {
		of: (state) => USES.of(state).query,
		edit: editUses,
		mistake: (state) => USES.of(state).mistake,
		isAnswered: isUsesAnswered,
	},
	name: "prompts and commands",
	command: "prompts",
	rows: selectUseRows,
	draw:
		(state) =>
		(row, { selected, width }) =>
			drawUseRow(state, row, selected, width),
	notes: kindSettings,
	position: (state, rows, index) => (rows.length === 0 ? "" : positionOf(state, rows, index)),
	nothing,
	decorate: withFilter,
	second: usedText,
	// The last text is known only when all have been requested.
	moved: (next, distance) =>
		"end" in distance && distance.end === "last" ? USES.with(next, { limit: Number.POSITIVE_INFINITY }) : next,
	sync: (state) => transition(withLimit(state)),
	queries: [FOUND_USES],
});

const NAMES = { prompt: "prompts", command: "commands" } as const;

/** The number of the text under the cursor, and of all texts: "3/32,819". */
function positionOf(state: State, rows: readonly UseRow[], cursor: number): string {
	const { value } = FOUND_USES.of(state);
	const number = rows.slice(0, cursor + 1).filter(({ kind }) => kind === "text").length;
	return `${formatCount(number)}/${formatCount(value?.found.total ?? 0)}`;
}

/** Notes behind the filter: its mistake, or the order and the progress of the search. */
function notesOf(state: State): Line {
	const { mistake, order } = USES.of(state);
	const { value } = FOUND_USES.of(state);
	if (mistake !== undefined) return [span(`  ${mistake}`, "warning")];
	if (value === undefined) return [];
	const { read, total, unread } = value;
	return [
		span("  "),
		{ ...span(`${order} first`, "muted"), press: "sort" },
		...(isUsesComplete(state) || read === total
			? []
			: [span(`  reading ${Math.floor((100 * read) / total)} %`, "muted")]),
		...(unread.length === 0 ? [] : [span(`  ${formatCount(unread.length)} cannot be read`, "warning")]),
	];
}

/** Both kinds as radio buttons; a click chooses one. */
function kindSettings(state: State): Line[] {
	const { kind } = USES.of(state);
	return [
		inRow([
			choice(NAMES.prompt, kind === "prompt", "show-prompts"),
			choice(NAMES.command, kind === "command", "show-commands"),
		]),
	];
}

function withFilter(state: State, pane: AppPane): AppPane {
	const { kind, query } = USES.of(state);
	const name = paneName(NAMES[kind], true);
	const typed = { name, query, hint: "type to filter", notes: notesOf(state), focused: true };
	return { ...pane, ...filterTitle(typed, titleRoom(pane, pane.position)) };
}

function usedText(state: State, box: Box): AppPane {
	const row = selectedUseRow(state);
	const lines = row === undefined ? [] : detailOfText(state, row, box.width - 2, box.height);
	return textPane(
		box,
		[span(`the ${USES.of(state).kind}`)],
		lines.map((line) => [span(" "), ...line]),
	);
}

function nothing(state: State): Notice {
	const { kind, query } = USES.of(state);
	const { error, isLoading } = FOUND_USES.of(state);
	if (error !== undefined && !isLoading) return [error, "error"];
	if (!isUsesComplete(state)) return ["Reading …"];
	return [query.text.trim() === "" ? `There is no ${kind} in any session.` : `No ${kind} matches.`];
}

/** Where and how often the text under the cursor was used, then as much of the text as fits. */
function detailOfText(state: State, row: UseRow, width: number, height: number): Line[] {
	const use = usedAt(row);
	if (use === undefined || row.kind === "more") return [];
	const session = state.catalog.rows.get(use.path);
	const title = session === undefined ? cleanText(use.path) : sessionTitle(session);
	const place = [
		formatDayTime(use.time, state.now),
		shortenHome(session?.cwd ?? "", state.environment.home),
		timesOf(row),
	];
	const outcome = outcomeSpans(use);
	const facts: Line = [
		span(place.filter(Boolean).join(" · "), "muted"),
		...(outcome.length === 0 ? [] : [span(" · ", "muted"), ...outcome]),
	];
	// What the rows above or beside this say is not repeated: a title that the text begins with, a text that its row shows whole.
	const names = sanitizeLine(row.text.text).startsWith(title.replace(/…$/, "")) ? [] : [[strong(title)]];
	const head = [...names, facts].map((line) => cutLine(line, width));
	const rowWidth = layoutWithPreview(state.size).list.width;
	const isShown = row.kind === "text" && isWhole(state, row.text, use, rowWidth);
	const answer = answerLines(row, width);
	// The outcome gets half of the room, if it needs that much.
	const room = height - head.length;
	const text = isShown ? [] : [[], ...textLines(row, width, Math.max(room - answer.length, Math.floor(room / 2)) - 1)];
	return [...head, ...text, ...answer].slice(0, height);
}

/** "used 12 times in 4 sessions, 3 of them failed". */
function timesOf({ text: { count, sessions, failures } }: Exclude<UseRow, { kind: "more" }>): string {
	const failed = failures === 0 ? "" : `, ${failures === count ? "all" : formatCount(failures)} failed`;
	if (count === 1) return `used once${failures === 0 ? "" : ", failed"}`;
	return `used ${formatCounted(count, "time")} in ${formatCounted(sessions, "session")}${failed}`;
}

/** The beginning of what came of the latest use. */
function answerLines({ kind, text }: Exclude<UseRow, { kind: "more" }>, width: number): Line[] {
	if (kind === "use") return [];
	const none = text.kind === "prompt" ? "no answer" : "no output";
	if (text.answer === "") return [[], [span(none, "muted")]];
	return [[], ...wrapText(text.answer, width).map((line) => [span(line)])];
}

function textLines(
	{ text: { kind, text, length } }: Exclude<UseRow, { kind: "more" }>,
	width: number,
	height: number,
): Line[] {
	const rows = wrapText(text, width);
	const isCut = text.length < length;
	const tone = kind === "prompt" ? "prompt" : "verb";
	if (rows.length <= height && !isCut) return rows.map((row) => [span(row, tone)]);
	const topRows = rows.slice(0, Math.max(0, height - 1));
	const more = isCut
		? `… ${formatCount(length)} characters in all`
		: `… ${formatCounted(rows.length - topRows.length, "more line")}`;
	return [...topRows.map((row) => [span(row, tone)]), [span(more, "muted")]];
}
