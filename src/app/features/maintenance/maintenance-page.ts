import { findingSentence } from "../../../conversation/entries/finding-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { type Finding, piDoes } from "../../../store/doctor/finding.ts";
import { formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { lineText, span } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { fatesIn, isLooking } from "../../world/list/gone-directories.ts";
import type { SessionGroup } from "../../world/list/session-groups.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { PagePreview } from "../../world/page/page.ts";
import { UNCUT } from "../../world/page/page-find.ts";
import { chain, type State, type Transition, transition } from "../../world/state/state.ts";
import { keysOf, selectMarked } from "./chosen-rows.ts";
import { drawMaintenanceRow, GROUP_WORDS, titleOfItem } from "./draw-row.ts";
import { examine } from "./examine.ts";
import {
	headingOf,
	type MaintenanceRow,
	type RowGroup,
	selectAllRows,
	selectedMaintenanceRow,
	selectMaintenanceRows,
} from "./maintenance-rows.ts";
import { DOCTOR, MAINTENANCE, TRASH_ITEMS } from "./maintenance-state.ts";
import { rowOfItem, TRASH_ROWS, trashRows } from "./trash-rows.ts";

/** Everything that needs attention, in foldable groups, with a preview of the session under the cursor. */
export const MAINTENANCE_PAGE = definePage<MaintenanceRow>({
	kind: "maintenance",
	slice: MAINTENANCE,
	name: "maintenance",
	command: "maintenance",
	rows: selectMaintenanceRows,
	draw: drawMaintenanceRow,
	notes(state) {
		const work = workNote(state);
		return work === undefined ? [] : [[span(work, "muted")]];
	},
	nothing: (state) => [
		workNote(state) === undefined
			? "There is nothing to do: no session is damaged, empty or without its directory, and none is in the trash."
			: "Nothing has been found so far.",
	],
	preview,
	// Once the person moves the cursor, it stays where they put it.
	moved: (next) =>
		MAINTENANCE.of(next).arriving === undefined ? next : MAINTENANCE.with(next, { arriving: undefined }),
	marking: {
		of: (state) => MAINTENANCE.of(state).marks,
		withMarks: (state, marks) => MAINTENANCE.with(state, { marks }),
		kept: selectAllRows,
		marksOf: (state, key) => selectMaintenanceRows(state).flatMap((row) => (row.key === key ? keysOf(state, row) : [])),
		all: keysInGroup,
		what: ["session", "sessions"],
		note: (state) =>
			` · ${formatSize(selectMarked(state).reduce((sum, row) => sum + (row.type === "trashed" ? row.item : row.row).size, 0))}`,
	},
	finding: { all: selectAllRows, textOf, show: unfoldAbove },
	sync: (state) => chain(examineUnfolded(state), (next) => transition(arrive(next))),
	queries: [TRASH_ITEMS, TRASH_ROWS],
});

/** Work in progress, or what could not be determined. */
function workNote(state: State): string | undefined {
	const { catalog } = state;
	if (!catalog.complete) return "listing …";
	if (isLooking(state)) return "looking at directories …";
	if (catalog.counted < catalog.countable) return "counting …";
	const unknown = [...fatesIn(state).values()].filter(({ kind }) => kind === "unknown").length;
	return unknown === 0 ? undefined : `${formatCounted(unknown, "directory", "directories")} could not be checked`;
}

/** What `/` finds in a row. There may be tens of thousands of sessions, so these are not drawn. */
function textOf(state: State): (row: MaintenanceRow) => string {
	const { home } = state.environment;
	const draw = drawMaintenanceRow(state);
	return (row) => {
		if (row.type === "trashed") return `${titleOfItem(row.item, trashRows(state))} ${row.item.path}`;
		if (row.type === "session" || row.type === "damaged")
			return `${sessionTitle(row.row)} ${shortenHome(row.row.cwd, home)}`;
		return lineText(draw(row, { width: UNCUT, selected: false, marked: false }));
	};
}

function unfoldAbove(state: State, { parent }: MaintenanceRow): State {
	const rows = selectAllRows(state);
	const opened = new Set(MAINTENANCE.of(state).opened);
	for (let key = parent; key !== undefined; key = rows.find((row) => row.key === key)?.parent) opened.add(key);
	return MAINTENANCE.with(state, { opened });
}

function keysInGroup(state: State): readonly string[] {
	const here = selectedMaintenanceRow(state);
	const heading = selectMaintenanceRows(state).find(({ key }) => here !== undefined && key === headingOf(here));
	return heading === undefined ? [] : keysOf(state, heading);
}

function preview(state: State): PagePreview {
	const row = selectedMaintenanceRow(state);
	switch (row?.type) {
		case "trashed": {
			const { item } = row;
			const rows = trashRows(state);
			const aboutItem = { row: rowOfItem(item, rows), title: titleOfItem(item, rows) };
			if (item.trashed !== undefined) return aboutItem;
			const path = shortenHome(item.path, state.environment.home);
			const instead = `It was not found in the system's trash. Restore it there; it belongs to ${path}.`;
			return { ...aboutItem, instead };
		}
		case "session":
		case "damaged":
			return { row: row.row, title: sessionTitle(row.row) };
		case "finding":
			return aboutFinding(row.finding, row.path, state);
		case "directory":
			return aboutDirectory(row.directory, state);
		case "problem":
			return { row: undefined, title: cleanText("Problem"), instead: row.text };
		case "old":
			return { row: undefined, title: cleanText(row.old.name), instead: GROUP_WORDS.old.howTo };
		case "group":
			return aboutGroup(row.group);
		default:
			return { row: undefined, title: cleanText(""), instead: "" };
	}
}

/** Beside a heading: its contents, and what can be done with them. */
function aboutGroup({ id, count, bytes, note }: RowGroup): PagePreview {
	const { name, rule, howTo } = GROUP_WORDS[id];
	const what = id === "problems" ? formatCounted(count, "problem") : formatCounted(count, "session");
	const sum = [what, ...(bytes === 0 ? [] : [formatSize(bytes)]), ...(note === undefined ? [] : [note])].join(", ");
	return { row: undefined, title: cleanText(name), instead: `${sum}: ${rule}. ${howTo}` };
}

/** Beside a finding: the whole sentence, what pi does with it, and the text in the file. */
function aboutFinding(finding: Finding, path: string, state: State): PagePreview {
	const sentences = [findingSentence(finding), piDoes(finding.code), finding.text].filter((one) => one !== undefined);
	return {
		row: undefined,
		title: sanitizeLine(shortenHome(path, state.environment.home)),
		instead: sentences.join(" "),
	};
}

/** Beside a missing directory: what can be done with its sessions. */
function aboutDirectory({ key, archived }: SessionGroup, state: State): PagePreview {
	const fate = fatesIn(state).get(key);
	const sentences = [
		fate?.kind === "unknown" ? `It could not be checked: ${fate.why}.` : "The directory no longer exists.",
		"Enter asks where its sessions belong now.",
		...(archived === 0
			? []
			: [`${formatCounted(archived, "more session")} of it ${archived === 1 ? "is" : "are"} in the archive.`]),
	];
	const title = sanitizeLine(shortenHome(key, state.environment.home));
	return { row: undefined, title, instead: sentences.join(" ") };
}

/** Examines the damaged sessions that are unfolded, to show their findings. */
function examineUnfolded(state: State): Transition {
	const { examined, examining } = DOCTOR.of(state);
	const { opened } = MAINTENANCE.of(state);
	const fresh = selectMaintenanceRows(state).flatMap((row) => {
		const isAsked = row.type === "damaged" && opened.has(row.key) && !examined.has(row.row.path);
		return isAsked && !examining.has(row.row.path) ? [row.row.path] : [];
	});
	return fresh.length === 0 ? transition(state) : examine(state, fresh);
}

/** Puts the cursor on the row that the view was opened for, or on the first row of that group, once it exists. */
function arrive(state: State): State {
	const { arriving, cursor } = MAINTENANCE.of(state);
	if (arriving === undefined) return state;
	const rows = selectMaintenanceRows(state);
	const index = rows.findIndex(({ key, parent, type, isSkipped }) =>
		key === arriving ? type !== "group" : parent === arriving && isSkipped !== true,
	);
	const row = rows[index];
	if (row === undefined) return state;
	const heading = rows.findIndex(({ key }) => key === row.parent);
	return MAINTENANCE.with(state, {
		arriving: undefined,
		cursor: { ...cursor, selected: row.key, index, top: heading },
	});
}
