import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { type CleanText, cleanText, joinText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import type { Line } from "../../../ui/view.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { State } from "../../world/state.ts";
import { projectNames } from "../list/project-names.ts";
import { drawTidyHeads, drawTidyRow } from "./draw-tidy-row.ts";
import { syncTidy, withTidy } from "./reconcile-tidy.ts";
import { familiesToCompare, isLooking, selectFamilies, selectTidying } from "./select-tidying.ts";
import type { TidySession } from "./tidy-groups.ts";
import {
	markedByKind,
	markedTidyBytes,
	pathsOf,
	selectedTidySession,
	selectTidyRows,
	type TidyRow,
} from "./tidy-rows.ts";

/** What may be deleted, and the tree of the session under the cursor. */
export const TIDY_PAGE = definePage<TidyRow>({
	kind: "tidy",
	name: "tidy",
	rows: selectTidyRows,
	heads: ({ catalog }, width) => drawTidyHeads(width, projectNames(catalog.rows)),
	draw(state) {
		const { tidy, catalog, environment, now } = state;
		const [movedKey] = environment.keymap.find(({ id }) => id === "moved")?.keys ?? [];
		const shared = {
			marked: tidy.marks.marked,
			markedByKind: markedByKind(state),
			projects: projectNames(catalog.rows),
			oldDays: tidy.oldDays,
			movedKey,
			home: environment.home,
			now,
		};
		return (row, { width, selected }) => drawTidyRow(row, { ...shared, width, selected });
	},
	notes,
	nothing: (state) => [
		workNote(state) === undefined
			? "There is nothing to tidy up: no session is a duplicate, empty, tiny, orphaned or old."
			: "Nothing was found so far.",
	],
	preview(state) {
		const session = selectedTidySession(state);
		const preview = { row: session?.row, title: titleOf(session, state.environment.home) };
		if (session !== undefined) return preview;
		return {
			...preview,
			instead:
				"Nothing is marked before you mark it: space marks a session, or all of a group. What is deleted goes to the system's trash.",
		};
	},
	marking: {
		of: ({ tidy }) => tidy.marks,
		withMarks: (state, marks) => withTidy(state, { marks }),
		marksOf: (state, key) => selectTidyRows(state).flatMap((row) => (row.key === key ? pathsOf(row) : [])),
		all: (state) => selectTidyRows(state).flatMap((row) => (row.type === "session" ? [row.key] : [])),
		what: ["session", "sessions"],
		note: (state) => ` · ${formatSize(markedTidyBytes(state))}`,
	},
	sync: syncTidy,
});

/** What is being looked at, or what there is, in the longest form that fits. */
function notes(state: State): readonly Line[] {
	const work = workNote(state);
	const { groups } = selectTidying(state);
	const count = groups.reduce((sum, { sessions }) => sum + sessions.length, 0);
	const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
	const sum = `${formatCounted(count, "session")}, ${formatSize(bytes)}`;
	if (work !== undefined) return [[span(`${sum} · ${work}`, "muted")], [span(work, "muted")]];
	return [[span(`${sum} · to the system's trash, and back with one undo`, "muted")], [span(sum, "muted")]];
}

/** What is still being found out, or never was. */
function workNote(state: State): string | undefined {
	const { catalog, tidy } = state;
	if (!catalog.complete) return "listing …";
	if (isLooking(state)) return "looking at directories …";
	const left = familiesToCompare(state).length;
	const total = selectFamilies(state).length;
	if (left > 0)
		return tidy.isStopped
			? `stopped: ${formatCount(left)} of ${formatCount(total)} families of forks were not compared`
			: `comparing forks: ${formatCount(total - left)} of ${formatCount(total)} …`;
	if (catalog.counted < catalog.countable) return "counting …";
	const unknown = [...tidy.fates.values()].filter(({ kind }) => kind === "unknown").length;
	return unknown === 0 ? undefined : `${formatCounted(unknown, "directory", "directories")} could not be looked at`;
}

/** Of a duplicate, also where all of it is. */
function titleOf(session: TidySession | undefined, home: string): CleanText {
	if (session === undefined) return cleanText("");
	const { row, within } = session;
	if (within === undefined) return sessionTitle(row);
	return joinText(cleanText("all of it is in "), sanitizeLine(shortenHome(within.path, home)));
}
