import { sumUses } from "../../../catalog/uses/use.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { outcomeSpans } from "../../../conversation/entries/use-outcome.ts";
import { markdownPieces } from "../../../conversation/render/markdown-pieces.ts";
import { type MarkdownLook, renderMarkdown } from "../../../conversation/render/render-markdown.ts";
import { filterTitle, paneName, titleRoom } from "../../../ui/pane-title.ts";
import { formatCount, formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { choice, inRow, type Line, span, strong } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Box } from "../../../ui/view.ts";
import { RENDERERS } from "../../world/opened/select-reader.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { Notice } from "../../world/page/define-rows.ts";
import { textPane } from "../../world/page/page.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { drawUseRow } from "./draw-use-row.ts";
import {
	editUses,
	FOUND_USES,
	isUsesAnswered,
	isUsesComplete,
	selectedUseRow,
	selectUseRows,
	USES,
	type UseRow,
	WHOLE_USE,
	wholeOf,
} from "./uses-state.ts";

export const USES_PAGE = definePage<UseRow>({
	kind: "prompts",
	slice: USES,
	field: {
		isOpen: true,
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
	queries: [FOUND_USES, WHOLE_USE],
});

const NAMES = { prompt: "prompts", command: "commands" } as const;

/** The number of the text under the cursor, and of all texts: "3/32,819". */
function positionOf(state: State, rows: readonly UseRow[], cursor: number): string {
	const { value } = FOUND_USES.of(state);
	const number = rows.slice(0, cursor + 1).filter(({ kind }) => kind === "text").length;
	return `${formatCount(number)}/${formatCount(value?.found.total ?? 0)}`;
}

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
		...(unread === 0 ? [] : [span(`  ${formatCount(unread)} cannot be read`, "warning")]),
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

/** Where and how often the text under the cursor was used; then the text, and what came of it, as much as fits. */
function detailOfText(state: State, row: UseRow, width: number, height: number): Line[] {
	const { use } = row;
	const session = state.catalog.rows.get(use.path);
	const title = session === undefined ? cleanText(use.path) : sessionTitle(session);
	const home = shortenHome(session?.cwd ?? "", state.environment.home);
	const place = [formatDayTime(use.time, state.now), home, timesOf(row)].filter(Boolean).join(" · ");
	const outcome = outcomeSpans(use);
	const facts: Line = [span(place, "muted"), ...(outcome.length === 0 ? [] : [span(" · ", "muted"), ...outcome])];
	const head: Line[] = [cutLine([strong(title)], width), cutLine(facts, width), []];
	const { text, answer } = wholeOf(state, use) ?? { text: row.text.text, answer: undefined };
	const isPrompt = use.kind === "prompt";
	const textRows = drawn(state, text, width, height, isPrompt, { tone: isPrompt ? "prompt" : "verb", breaks: true });
	const answerRows = answer === undefined ? [] : drawn(state, answer, width, height, isPrompt, {});
	const [some, none] = isPrompt ? ["answered", "no answer"] : ["printed", "no output"];
	const heading = answerRows.length > 0 ? some : none;
	const rowsBelow: Line[] = answer === undefined ? [] : [[], [span(heading, "muted")], ...answerRows];
	// What came of it gets half of the room, if it needs that much.
	const room = height - head.length;
	const most = Math.max(room - rowsBelow.length, Math.floor(room / 2));
	return [
		...head,
		...(textRows.length > most ? [...textRows.slice(0, most - 1), [span("…", "muted")]] : textRows),
		...rowsBelow,
	];
}

/** A text in more rows than fit, if it is long: Markdown as in the reader, or as it is. */
function drawn(
	state: State,
	text: string,
	width: number,
	height: number,
	isMarkdown: boolean,
	look: MarkdownLook,
): Line[] {
	const { tone } = look;
	if (!isMarkdown) return wrapText(text.slice(0, width * height), width).map((row) => [span(row, tone)]);
	const { value: renderers } = RENDERERS.of(state);
	const rows: Line[] = [];
	for (const piece of markdownPieces(text)) {
		rows.push(...renderMarkdown(piece, width, renderers, look));
		if (rows.length > height) break;
	}
	return rows.map((row) => row.map((one) => ({ ...(tone && { tone }), ...one })));
}

/** "used 12 times in 4 sessions, 3 of them failed". */
function timesOf({ text }: UseRow): string {
	const count = text.uses.length;
	const { sessions, failures } = sumUses(text);
	const failed = failures === 0 ? "" : `, ${failures === count ? "all" : formatCount(failures)} failed`;
	if (count === 1) return `used once${failures === 0 ? "" : ", failed"}`;
	return `used ${formatCounted(count, "time")} in ${formatCounted(sessions, "session")}${failed}`;
}
