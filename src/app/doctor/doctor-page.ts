import { noticeRows } from "../../ui/page/notice-rows.ts";
import { cursorIndex } from "../../ui/page/page-cursor.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import type { Box, Line, RowView } from "../../ui/view.ts";
import { sessionTitle } from "../list/draw-row.ts";
import type { AppPane, State } from "../model/state.ts";
import { doctorLayout } from "./doctor-layout.ts";
import { type DoctorRow, examinedCount, isSession, selectDoctorRows, selectedSession } from "./doctor-rows.ts";
import { drawDoctorRow } from "./draw-doctor-row.ts";
import { selectFindingRows } from "./finding-rows.ts";

/** The page of the doctor: the sessions that have findings, and the findings of the one under the cursor. */
export function selectDoctorPage(state: State): AppPane[] {
	const { sessions, findings } = doctorLayout(state);
	const panes = [
		...(sessions === undefined ? [] : [sessionsPane(state, sessions)]),
		...(findings === undefined ? [] : [findingsPane(state, findings)]),
	];
	return panes.toSorted((a, b) => Number(b.focused) - Number(a.focused));
}

function sessionsPane(state: State, box: Box): AppPane {
	const { doctor } = state;
	const rows = selectDoctorRows(state);
	const { marked } = doctor.marks;
	const found = rows.filter(isSession).length;
	return {
		id: "list",
		...box,
		title: [
			strong("doctor", "accent"),
			...(marked.size === 0 ? [] : [span(` ${formatCounted(marked.size, "marked", "marked")}`, "current")]),
		],
		settings: [notes(state, found)],
		position: cleanText(
			found === 0 ? "" : `${formatCount(positionIn(rows, cursorIndex(doctor.cursor, rows)))}/${formatCount(found)}`,
		),
		focused: !doctor.inFindings,
		rows: found === 0 ? nothing(state, box) : visibleRows(state, rows, box),
	};
}

/** The number of the session at an index, from 1: headings are not counted. */
function positionIn(rows: readonly DoctorRow[], index: number): number {
	return rows.slice(0, index + 1).filter(isSession).length;
}

/** How far the examination is, or how many are sound. */
function notes(state: State, found: number): Line {
	const { doctor } = state;
	const { queue, done } = doctor;
	if (done < queue.length) return [span(`examined ${formatCount(done)} of ${formatCount(queue.length)} …`, "muted")];
	if (!doctor.compared) return [span("comparing with the others …", "muted")];
	const sound = examinedCount(state) - found;
	return [span(`${formatCount(sound)} ${sound === 1 ? "is" : "are"} sound`, "muted")];
}

function visibleRows({ doctor }: State, rows: readonly DoctorRow[], { width, height }: Box): RowView[] {
	const cursor = cursorIndex(doctor.cursor, rows);
	const { top } = doctor.cursor;
	return rows.slice(top, top + height).map((row, index) => {
		const selected = top + index === cursor;
		const marked = doctor.marks.marked.has(row.key);
		return { key: row.key, line: drawDoctorRow(row, { width, selected, marked }), selected };
	});
}

function nothing({ doctor }: State, box: Box): RowView[] {
	const { queue, done, examined, compared } = doctor;
	if (done < queue.length || !compared) return noticeRows("Examining …", "muted", box);
	if (examined.size === 0)
		return noticeRows("No session was examined. a examines all that the list shows.", "muted", box);
	const which =
		examined.size === 1 ? "The session is" : `All ${formatCount(examined.size)} sessions that were examined are`;
	return noticeRows(`${which} sound. a examines all that the list shows.`, "text", box);
}

function findingsPane(state: State, box: Box): AppPane {
	const { doctor } = state;
	const session = selectedSession(state);
	const rows = selectFindingRows(state);
	const cursor = doctor.inFindings ? cursorIndex(doctor.findingCursor, rows) : -1;
	const top = doctor.inFindings ? doctor.findingCursor.top : 0;
	return {
		id: "reader",
		...box,
		title: [span(session === undefined ? cleanText("") : sessionTitle(session.row), "text")],
		settings: [],
		position: cleanText(
			rows.length > box.height
				? `${formatCount(Math.min(rows.length, top + box.height))}/${formatCount(rows.length)}`
				: "",
		),
		focused: doctor.inFindings,
		rows: rows.slice(top, top + box.height).map(({ key, line }, index) => {
			const selected = top + index === cursor;
			return { key, line: [span(selected ? "› " : "  ", "accent"), ...line], selected };
		}),
	};
}
