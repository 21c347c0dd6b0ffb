import { gaugeLine } from "../../../conversation/glance/gauge-line.ts";
import { type ResumeView, resumeView } from "../../../conversation/glance/resume-view.ts";
import type { Line } from "../../../ui/text/line.ts";
import { selectedBranch } from "../../world/opened/select-branches.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import type { State } from "../../world/state/state.ts";

/**
 * What resuming from the leaf of the open session means, or from the end of the branch under the cursor; undefined in the
 * list.
 */
export function selectResumeView(state: State): ResumeView | undefined {
	const { focus, detail, glance, now } = state;
	const session = focus === "list" ? undefined : shownSession(detail);
	if (session === undefined || session.entries.length === 0) return undefined;
	const end = focus === "branches" ? selectedBranch(state)?.id : undefined;
	return resumeView(session, end ?? session.tree.leafId, glance, now);
}

/** The resume gauge in at most `width` cells. */
export function selectGauge(state: State, width: number): Line | undefined {
	const view = selectResumeView(state);
	return view && gaugeLine(view, width);
}
