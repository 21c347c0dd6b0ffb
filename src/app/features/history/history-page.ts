import { formatCount } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import type { Box } from "../../../ui/view.ts";
import { definePage, type Notice } from "../../world/page/define-page.ts";
import { layoutWithDetail } from "../../world/page/page.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { drawHistoryRow } from "./draw-history.ts";
import { historyDetail } from "./history-detail.ts";
import { type HistoryRow, selectHistoryRows } from "./history-rows.ts";
import { HISTORY } from "./history-state.ts";
import { syncHistory } from "./reconcile-history.ts";

/** All changes, and details of the one under the cursor. */
export const HISTORY_PAGE = definePage<HistoryRow>({
	kind: "history",
	slice: HISTORY,
	name: "history",
	command: "history",
	title: "every change",
	layout: ({ size }) => layoutWithDetail(size),
	rows: (state) => selectHistoryRows(HISTORY.of(state)),
	draw:
		(state) =>
		(row, { width, selected }) =>
			drawHistoryRow(row, {
				width,
				selected,
				rows: state.catalog.rows,
				outlooks: HISTORY.of(state).outlooks,
				home: state.environment.home,
				now: state.now,
			}),
	notes: (state) => (HISTORY.of(state).reading ? [[span("reading …", "muted")]] : [[]]),
	position: (state, rows, index) =>
		rows.length === 0
			? ""
			: `${formatCount(index + 1)}/${formatCount(rows.length)}${HISTORY.of(state).complete ? "" : "+"}`,
	nothing,
	second: detailPane,
	// The last change is known only when the whole journal has been read.
	moved: (next, distance) =>
		"end" in distance && distance.end === "last" ? HISTORY.with(next, { wanted: Number.MAX_SAFE_INTEGER }) : next,
	sync: syncHistory,
});

function nothing(state: State): Notice {
	const history = HISTORY.of(state);
	if (history.error !== undefined) return [history.error, "error"];
	return [history.complete ? "Nothing has been changed from here yet." : "Reading …"];
}

function detailPane(state: State, box: Box): AppPane {
	const lines = historyDetail(state, box.width - 2).slice(0, box.height);
	return {
		id: "reader",
		...box,
		title: [span("this change")],
		settings: [],
		position: blanks(0),
		focused: false,
		rows: lines.map((line, index) => ({ key: String(index), line, selected: false })),
	};
}
