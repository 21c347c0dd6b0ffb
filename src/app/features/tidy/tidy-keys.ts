import { PANES } from "../../world/binding.ts";
import { change, type Key } from "../../world/key.ts";
import { closePage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { familiesToCompare } from "./select-tidying.ts";
import {
	askToDeleteTidy,
	changeOldDays,
	moveToGroup,
	openTidy,
	openTidySession,
	stopComparing,
} from "./tidy-actions.ts";
import { selectedTidySession } from "./tidy-rows.ts";

const TIDY = ["tidy"] as const;

// biome-ignore format: a table
export const TIDY_KEYS: readonly Key[] = [
	{ id: "tidy", keys: ["alt+c"], contexts: ["list"],
		help: "what may be deleted: duplicate, empty, tiny, orphaned and old sessions", run: change(openTidy) },
	{ id: "tidy", keys: ["shift+f10"], contexts: PANES,
		help: "the same, also where the other key copies", run: change(openTidy) },
	{ id: "open-tidy", keys: ["enter", "right"], contexts: TIDY, short: "open", needs: needsSession,
		help: "into the session's tree; the page stays as it is, for when you come back", run: change(openTidySession) },
	{ id: "delete-tidy", keys: ["ctrl+d", "d"], contexts: TIDY, short: "delete", pi: "app.session.delete", needs: needsChosen,
		help: "move the marked sessions to the trash, or the one under the cursor, after asking", run: askToDeleteTidy },
	{ id: "old-days", keys: ["n"], contexts: TIDY, short: "days",
		help: "another number of days after which a session is old", run: change(changeOldDays) },
	{ id: "next-group", keys: ["tab", "]"], contexts: TIDY, help: "to the next group",
		run: change((state) => moveToGroup(state, 1)) },
	{ id: "previous-group", keys: ["shift+tab", "["], contexts: TIDY, help: "to the group before, or its heading",
		run: change((state) => moveToGroup(state, -1)) },
	{ id: "stop-comparing", keys: ["escape"], contexts: TIDY, short: "stop", pi: "tui.select.cancel", when: isComparing,
		help: "compare no more forks, until the page is opened again", run: change(stopComparing) },
	{ id: "cancel", keys: ["alt+c", "shift+f10"], contexts: TIDY, help: "back to the panes", run: change((state) => closePage(state, "tidy")) },
];

function isComparing(state: State): boolean {
	return state.progress === undefined && !state.tidy.isStopped && familiesToCompare(state).length > 0;
}

function needsSession(state: State): string | undefined {
	return selectedTidySession(state) === undefined ? "There is no session under the cursor" : undefined;
}

function needsChosen(state: State): string | undefined {
	const isChosen = state.tidy.marks.marked.size > 0 || selectedTidySession(state) !== undefined;
	return isChosen ? undefined : "Nothing is marked: mark sessions, or a group, with space";
}
