import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { type CleanText, cleanText, joinText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { sessionTitle } from "../../list/draw-row.ts";
import type { State } from "../../model/state.ts";
import { definePage } from "../../page/define-page.ts";
import type { PagePreview } from "../../page/page.ts";
import { titleOfItem } from "./draw-item.ts";
import { drawRow } from "./draw-row.ts";
import { groupWords } from "./group-words.ts";
import {
	type Group,
	groupOf,
	keysOf,
	type MaintenanceRow,
	selectAllRows,
	selectedRow,
	selectMarked,
	selectRows,
} from "./maintenance-rows.ts";
import { syncMaintenance, withMaintenance } from "./reconcile-maintenance.ts";
import { lookForParents } from "./reconcile-trash.ts";
import { familiesToCompare, isLooking, selectFamilies, selectTidying } from "./select-tidying.ts";
import type { TidySession } from "./tidy-groups.ts";

/** What needs the person's hand, in groups that unfold, and the tree of the session under the cursor. */
export const MAINTENANCE_PAGE = definePage<MaintenanceRow>({
	kind: "maintenance",
	name: "maintenance",
	title,
	rows: selectRows,
	draw: drawRow,
	notes: (state) => {
		const work = workNote(state);
		return work === undefined ? [] : [[span(work, "muted")]];
	},
	nothing: (state) => [
		workNote(state) === undefined
			? "There is nothing to do: no session is a duplicate, empty, old or without its directory, and none is in the trash."
			: "Nothing was found so far.",
	],
	preview,
	// What the person goes to is where they want to be.
	moved: (next) => (next.maintenance.arriving === undefined ? next : withMaintenance(next, { arriving: undefined })),
	marking: {
		of: ({ maintenance }) => maintenance.marks,
		withMarks: (state, marks) => withMaintenance(state, { marks }),
		kept: selectAllRows,
		marksOf: (state, key) => selectRows(state).flatMap((row) => (row.key === key ? keysOf(state, row) : [])),
		all: keysInGroup,
		what: ["session", "sessions"],
		note: (state) => ` · ${formatSize(selectMarked(state).reduce((sum, row) => sum + bytesOf(row), 0))}`,
	},
	sync: syncMaintenance,
	whileClosed: lookForParents,
});

/** "210 sessions, 310 MB could go": what is proposed to be deleted. */
function title(state: State): string {
	const groups = selectTidying(state).groups.filter(({ kind }) => kind !== "orphaned");
	const count = groups.reduce((sum, { sessions }) => sum + sessions.length, 0);
	const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
	return count === 0 ? "maintenance" : `${formatCounted(count, "session")}, ${formatSize(bytes)} could go`;
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

/** Keys of all sessions of the group under the cursor. */
function keysInGroup(state: State): readonly string[] {
	const here = selectedRow(state);
	const heading = selectRows(state).find(({ key }) => here !== undefined && key === groupOf(here));
	return heading === undefined ? [] : keysOf(state, heading);
}

function bytesOf(row: MaintenanceRow): number {
	return row.type === "session" ? row.session.row.size : row.type === "trashed" ? row.item.size : 0;
}

function preview(state: State): PagePreview {
	const row = selectedRow(state);
	switch (row?.type) {
		case "session":
			return { row: row.session.row, title: titleOf(row.session, state.environment.home) };
		case "trashed": {
			const { item } = row;
			const shown = { row: state.trash.rows.get(item.key), title: titleOfItem(item, state.trash.rows) };
			if (item.trashed !== undefined) return shown;
			const path = shortenHome(item.path, state.environment.home);
			const instead = `This system does not say where its trash put the file. Restore it there; it belongs to ${path}.`;
			return { ...shown, instead };
		}
		case "group":
			return aboutGroup(row.group, state);
		default:
			return { row: undefined, title: cleanText(""), instead: "" };
	}
}

/** Beside a heading: what is below it, and what can be done with it. */
function aboutGroup({ id, count, bytes, note }: Group, state: State): PagePreview {
	const { name, rule } = groupWords(id, state.tidy.oldDays);
	const sum = `${formatCounted(count, "session")}, ${formatSize(bytes)}${note === undefined ? "" : `, ${note}`}: ${rule}.`;
	const what =
		id === "trash"
			? "Enter on a session brings it back to its place."
			: "Nothing is marked before you mark it: space marks a session, or all of a group. What is deleted goes to the system's trash, and comes back with one undo.";
	return { row: undefined, title: cleanText(name), instead: `${sum} ${what}` };
}

/** Of a duplicate, also where all of it is. */
function titleOf({ row, within }: TidySession, home: string): CleanText {
	if (within === undefined) return sessionTitle(row);
	return joinText(cleanText("all of it is in "), sanitizeLine(shortenHome(within.path, home)));
}
