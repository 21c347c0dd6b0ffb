import { selectedSession } from "../doctor/doctor-rows.ts";
import { chosenRows } from "../list/marked.ts";
import type { State } from "../model/state.ts";
import { closePage } from "../page/open-page.ts";
import {
	backToSessions,
	examineAll,
	goOnInDoctor,
	isExamining,
	openDoctor,
	repairChosen,
	stopExamining,
} from "../update/doctor.ts";
import { askToForward, whyNoForward } from "../update/forward.ts";
import { change, type Key } from "./handlers.ts";

const DOCTOR = ["doctor"] as const;

// biome-ignore format: a table
export const DOCTOR_KEYS: readonly Key[] = [
	{ id: "doctor", keys: ["alt+k", "shift+f8"], contexts: ["list", "reader"], needs: needsChosen, acts: "session",
		help: "examine the marked sessions, or the one under the cursor: what is damaged, and repaired copies", run: change(openDoctor) },
	{ id: "doctor", keys: ["shift+f8"], contexts: ["tree", "branches"], needs: needsChosen, acts: "session",
		help: "examine the session: what is damaged, and repaired copies", run: change(openDoctor) },
	{ id: "findings", keys: ["enter", "right", "tab"], contexts: DOCTOR, short: "findings", needs: needsSession,
		when: ({ doctor }) => !doctor.inFindings, help: "to the findings of the session", run: change(goOnInDoctor) },
	{ id: "go-to-entry", keys: ["enter"], contexts: DOCTOR, short: "entry", when: ({ doctor }) => doctor.inFindings,
		help: "to the entry of the finding in the tree", run: change(goOnInDoctor) },
	{ id: "repair", keys: ["r"], contexts: DOCTOR, short: "repair", needs: needsSession,
		help: "repaired copies of the marked sessions, or of the one under the cursor: the originals stay as they are", run: repairChosen },
	{ id: "forward", keys: ["f"], contexts: DOCTOR, short: "to its end", when: hasMovedLeaf, needs: whyNoForward,
		help: "where a name or a label makes pi go on from the middle: have it go on from the end again, after asking",
		run: askToForward },
	{ id: "examine-all", keys: ["a"], contexts: DOCTOR, short: "examine all", help: "examine all sessions that the list shows",
		run: change(examineAll) },
	{ id: "stop-examining", keys: ["escape"], contexts: DOCTOR, short: "stop", pi: "tui.select.cancel", when: (state) => isFree(state) && isExamining(state),
		help: "stop examining; what was found stays", run: change(stopExamining) },
	{ id: "back-to-sessions", keys: ["escape", "left", "tab"], contexts: DOCTOR, pi: "tui.select.cancel",
		when: (state) => isFree(state) && state.doctor.inFindings, help: "from the findings back to the sessions", run: change(backToSessions) },
	{ id: "cancel", keys: ["alt+k", "shift+f8"], contexts: DOCTOR, help: "back to the panes", run: change((state) => closePage(state, "doctor")) },
];

function hasMovedLeaf(state: State): boolean {
	return selectedSession(state)?.examination.totals.rewound !== undefined;
}

function needsChosen(state: State): string | undefined {
	return state.list.marked.size > 0 || chosenRows(state).length > 0 ? undefined : "There is no session to examine";
}

function needsSession(state: State): string | undefined {
	return selectedSession(state) === undefined ? "There is no session in which something was found" : undefined;
}

/** Escape stops work on many sessions before all else. */
function isFree({ progress }: State): boolean {
	return progress === undefined;
}
