import { selectDoctorPage } from "../doctor/doctor-page.ts";
import { selectHistoryPage } from "../history/history-page.ts";
import type { PageKind } from "../model/page.ts";
import type { AppPane, State } from "../model/state.ts";
import { selectMovedPage } from "../moved/moved-page.ts";
import { selectStatsPage } from "../stats/stats-pane.ts";
import { selectTidyPage } from "./tidy-page.ts";
import { selectTrashPage } from "./trash-page.ts";
import { selectUsesPage } from "./uses-page.ts";

/** How a page is drawn; `update/pages.ts` has what it does. */
interface PageDrawing {
	/** What the header calls it. */
	readonly name: string;
	/** Its panes: the one with the focus first. */
	readonly panes: (state: State) => readonly AppPane[];
}

export const PAGE_DRAWINGS: Readonly<Record<PageKind, PageDrawing>> = {
	history: { name: "history", panes: selectHistoryPage },
	doctor: { name: "doctor", panes: selectDoctorPage },
	moved: { name: "moved projects", panes: selectMovedPage },
	trash: { name: "trash", panes: selectTrashPage },
	tidy: { name: "tidy", panes: selectTidyPage },
	stats: { name: "statistics", panes: selectStatsPage },
	uses: { name: "prompts and commands", panes: selectUsesPage },
};
