import { noticeRows } from "../../ui/page/notice-rows.ts";
import { cursorIndex } from "../../ui/page/page-cursor.ts";
import { formatCount } from "../../ui/text/format.ts";
import { blanks, cleanText } from "../../ui/text/sanitize.ts";
import { span } from "../../ui/text/span.ts";
import { titleRoom } from "../../ui/title-rule.ts";
import type { Box, Line, RowView } from "../../ui/view.ts";
import type { AppPane, State } from "../model/state.ts";
import { layoutWithPreview } from "../page/page-layout.ts";
import { detailOfText } from "../uses/detail-of-text.ts";
import { drawUseRow } from "../uses/draw-use-row.ts";
import { selectUseRows, type UseRow } from "../uses/use-rows.ts";
import { choice, inRow } from "./choice.ts";
import { filterTitle, paneName } from "./filter-title.ts";

/** The page of all prompts, or all commands: the rows in sight, and the whole text of the one under the cursor. */
export function selectUsesPage(state: State): AppPane[] {
	const { uses, size } = state;
	const { list, second } = layoutWithPreview(size);
	const rows = selectUseRows(uses);
	const cursor = cursorIndex(uses.cursor, rows);
	const position = cleanText(rows.length === 0 ? "" : positionOf(state, rows, cursor));
	const typed = {
		name: paneName(NAMES[uses.kind], true),
		query: uses.query,
		hint: "type to filter",
		notes: notesOf(state),
		focused: true,
	};
	const pane: AppPane = {
		id: "list",
		...list,
		...filterTitle(typed, titleRoom(list, position)),
		settings: kindSettings(state),
		position,
		focused: true,
		rows: rows.length === 0 ? nothing(state, list) : visibleRows(state, rows, cursor, list),
	};
	const row = rows[cursor];
	if (second === undefined) return [pane];
	const lines = row === undefined ? [] : detailOfText(state, row, second.width - 2, second.height);
	const detail = lines.map((line, at) => ({ key: String(at), line: [span(" "), ...line], selected: false }));
	const title = [span(`the ${uses.kind}`)];
	return [pane, { id: "reader", ...second, title, settings: [], position: blanks(0), focused: false, rows: detail }];
}

const NAMES = { prompt: "prompts", command: "commands" } as const;

/** Which of all texts the cursor is on, or in: "3/32,819". */
function positionOf({ uses: { found } }: State, rows: readonly UseRow[], cursor: number): string {
	const number = rows.slice(0, cursor + 1).filter(({ kind }) => kind === "text").length;
	return `${formatCount(number)}/${formatCount(found?.found.total ?? 0)}`;
}

/** Behind what is typed: what is wrong with it, or how many were found, and how far the reading is. */
function notesOf({ uses: { mistake, found, query, isDone, parsed } }: State): Line {
	if (mistake !== undefined) return [span(`  ${mistake}`, "warning")];
	if (found === undefined) return [];
	const { read, total, unread } = found;
	const parts: Line = [
		...(query.text.trim() === "" || found.of.parsed !== parsed
			? []
			: [span(`  ${formatCount(found.found.total)} found`, "muted")]),
		...(isDone || read === total ? [] : [span(`  reading ${Math.floor((100 * read) / total)} %`, "muted")]),
		...(unread.length === 0 ? [] : [span(`  ${formatCount(unread.length)} cannot be read`, "warning")]),
	];
	return parts;
}

/** Both kinds as radio buttons; a click chooses one. */
function kindSettings({ uses: { kind } }: State): Line[] {
	return [
		inRow([
			choice(NAMES.prompt, kind === "prompt", "show-prompts"),
			choice(NAMES.command, kind === "command", "show-commands"),
		]),
	];
}

function visibleRows(state: State, rows: readonly UseRow[], cursor: number, { width, height }: Box): RowView[] {
	const { top } = state.uses.cursor;
	return rows.slice(top, top + height).map((row, at) => {
		const selected = top + at === cursor;
		return { key: row.key, line: drawUseRow(state, row, selected, width), selected };
	});
}

function nothing({ uses }: State, box: Box): RowView[] {
	if (uses.error !== undefined) return noticeRows(uses.error, "error", box);
	const isFound = uses.isDone && uses.found?.of.kind === uses.kind;
	if (!isFound) return noticeRows("Reading …", "muted", box);
	const isAll = uses.query.text.trim() === "";
	return noticeRows(
		isAll ? `There is no ${uses.kind} in any session.` : `No ${uses.kind} holds what is typed.`,
		"muted",
		box,
	);
}
