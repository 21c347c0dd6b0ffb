import { noticeRows } from "../../ui/page/notice-rows.ts";
import { cursorIndex } from "../../ui/page/page-cursor.ts";
import { formatCount } from "../../ui/text/format.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import type { Box, Line, RowView } from "../../ui/view.ts";
import type { AppPane, State } from "../model/state.ts";
import { layoutWithDetail } from "../page/page-layout.ts";
import { drawHistoryRow } from "./draw-history.ts";
import { historyDetail } from "./history-detail.ts";
import { selectHistoryRows } from "./history-rows.ts";

/** The page of all changes: the rows in sight, and what there is to say of the one under the cursor. */
export function selectHistoryPage(state: State): AppPane[] {
	const { list, second } = layoutWithDetail(state.size);
	const { history } = state;
	const rows = selectHistoryRows(history);
	const cursor = cursorIndex(history.cursor, rows);
	const count = `${formatCount(rows.length)}${history.complete ? "" : "+"}`;
	const pane: AppPane = {
		id: "list",
		...list,
		title: [strong("every change", "accent")],
		settings: [notes(state)],
		position: cleanText(rows.length === 0 ? "" : `${formatCount(cursor + 1)}/${count}`),
		focused: true,
		rows: rows.length === 0 ? nothing(state, list) : visibleRows(state, cursor, list),
	};
	if (second === undefined) return [pane];
	const lines = historyDetail(state, second.width - 2).slice(0, second.height);
	return [
		pane,
		{
			id: "reader",
			...second,
			title: [span("this change")],
			settings: [],
			position: cleanText(""),
			focused: false,
			rows: lines.map((line, index) => ({ key: String(index), line, selected: false })),
		},
	];
}

function notes({ history }: State): Line {
	if (history.reading) return [span("reading …", "muted")];
	return [];
}

function visibleRows({ history, catalog, environment, now }: State, cursor: number, { width, height }: Box): RowView[] {
	const { outlooks } = history;
	const { top } = history.cursor;
	return selectHistoryRows(history)
		.slice(top, top + height)
		.map((row, index) => {
			const selected = top + index === cursor;
			const drawing = { width, selected, rows: catalog.rows, outlooks, home: environment.home, now };
			return { key: row.key, line: drawHistoryRow(row, drawing), selected };
		});
}

function nothing({ history }: State, box: Box): RowView[] {
	const text = history.error ?? (history.complete ? "Nothing has been changed from here yet." : "Reading …");
	return noticeRows(text, history.error === undefined ? "muted" : "error", box);
}
