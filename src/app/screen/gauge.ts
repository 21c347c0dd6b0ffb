import { gaugeLine } from "../glance/gauge-line.ts";
import { resumeView } from "../glance/resume-view.ts";
import type { State } from "../model/state.ts";
import type { Line } from "../model/view.ts";
import { shownSession } from "../tree/select-tree.ts";

/** What going on from the leaf of the opened session means, in a form for so many cells; in the list there is none. */
export function selectGauge({ focus, detail, glance, now }: State, width: number): Line | undefined {
	const session = focus === "list" ? undefined : shownSession(detail);
	if (session === undefined || session.entries.length === 0) return undefined;
	const view = resumeView(session, session.tree.leafId, glance, now);
	return view && gaugeLine(view, width);
}
