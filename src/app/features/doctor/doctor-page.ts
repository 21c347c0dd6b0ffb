import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { cursorIndex } from "../../../ui/page/page-cursor.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import type { Box, Line } from "../../../ui/view.ts";
import { definePage, type Notice } from "../../world/page/define-page.ts";
import type { AppPane, State } from "../../world/state.ts";
import { doctorLayout } from "./doctor-layout.ts";
import { type DoctorRow, examinedCount, isSession, selectDoctorRows, selectedSession } from "./doctor-rows.ts";
import { drawDoctorRow } from "./draw-doctor-row.ts";
import { selectFindingRows } from "./finding-rows.ts";
import { moveInFindings, syncDoctor, withDoctor } from "./reconcile-doctor.ts";

/** The sessions that have findings, and the findings of the one under the cursor, which can have the focus. */
export const DOCTOR_PAGE = definePage<DoctorRow>({
	kind: "doctor",
	name: "doctor",
	layout: doctorLayout,
	rows: selectDoctorRows,
	draw: () => drawDoctorRow,
	notes: (state) => [notes(state)],
	position(_, rows, index) {
		const found = rows.filter(isSession).length;
		return found === 0 ? "" : `${formatCount(positionIn(rows, index))}/${formatCount(found)}`;
	},
	nothing,
	decorate: ({ doctor }, pane) => ({ ...pane, focused: !doctor.inFindings }),
	second: findingsPane,
	// The heading above the first row is seen with it.
	settle: (cursor) => (cursor.top === 1 && cursor.index <= 1 ? { ...cursor, top: 0 } : cursor),
	moveBeside: (state, distance) => (state.doctor.inFindings ? moveInFindings(state, distance) : undefined),
	marking: {
		of: ({ doctor }) => doctor.marks,
		withMarks: (state, marks) => withDoctor(state, { marks }),
		focusRows: (state) => withDoctor(state, { inFindings: false }),
		what: ["session", "sessions"],
	},
	sync: syncDoctor,
});

/** The number of the session at an index, from 1: headings are not counted. */
function positionIn(rows: readonly DoctorRow[], index: number): number {
	return rows.slice(0, index + 1).filter(isSession).length;
}

/** How far the examination is, or how many are sound. */
function notes(state: State): Line {
	const { doctor } = state;
	const { queue, done } = doctor;
	if (done < queue.length) return [span(`examined ${formatCount(done)} of ${formatCount(queue.length)} …`, "muted")];
	if (!doctor.compared) return [span("comparing with the others …", "muted")];
	const sound = examinedCount(state) - selectDoctorRows(state).filter(isSession).length;
	return [span(`${formatCount(sound)} ${sound === 1 ? "is" : "are"} sound`, "muted")];
}

function nothing({ doctor }: State): Notice {
	const { queue, done, examined, compared } = doctor;
	if (done < queue.length || !compared) return ["Examining …"];
	if (examined.size === 0) return ["No session was examined. a examines all that the list shows."];
	const which =
		examined.size === 1 ? "The session is" : `All ${formatCount(examined.size)} sessions that were examined are`;
	return [`${which} sound. a examines all that the list shows.`, "text"];
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
