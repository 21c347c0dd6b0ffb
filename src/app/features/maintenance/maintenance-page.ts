import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { type Finding, piDoes } from "../../../store/doctor/finding.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, joinText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { PagePreview } from "../../world/page/page.ts";
import type { State } from "../../world/state/state.ts";
import { keysOf, selectMarked } from "./chosen-rows.ts";
import { findingSentence } from "./damaged-sessions.ts";
import { drawRow, titleOfItem } from "./draw-row.ts";
import { proposalsFor, reasonWords, type SessionGroup } from "./gone-groups.ts";
import {
	type Group,
	headingOf,
	listedRow,
	type MaintenanceRow,
	selectAllRows,
	selectedRow,
	selectRows,
} from "./maintenance-rows.ts";
import { DOCTOR, type GroupId, MAINTENANCE, MOVED, TIDY, TRASH } from "./maintenance-state.ts";
import { syncClosed, syncMaintenance } from "./reconcile-maintenance.ts";
import { familiesToCompare, isLooking, selectFamilies, selectTidying, type TidySession } from "./tidy-groups.ts";
import { groupWords } from "./tidy-words.ts";

/** Everything that needs attention, in foldable groups, with a preview of the session under the cursor. */
export const MAINTENANCE_PAGE = definePage<MaintenanceRow>({
	kind: "maintenance",
	slice: MAINTENANCE,
	name: "maintenance",
	command: "maintenance",
	title,
	rows: selectRows,
	draw: drawRow,
	notes: (state) => {
		const work = workNote(state);
		return work === undefined ? [] : [[span(work, "muted")]];
	},
	nothing: (state) => [
		workNote(state) === undefined
			? "There is nothing to do: no session is damaged, a duplicate, empty, old or without its directory, and none is in the trash."
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
		marksOf: (state, key) => selectRows(state).flatMap((row) => (row.key === key ? keysOf(state, row) : [])),
		all: keysInGroup,
		what: ["session", "sessions"],
		note: (state) => ` · ${formatSize(selectMarked(state).reduce((sum, row) => sum + bytesOf(row), 0))}`,
	},
	sync: syncMaintenance,
	whileClosed: syncClosed,
});

/** "210 sessions, 310 MB could go": the sessions proposed for deletion. */
function title(state: State): string {
	const { groups } = selectTidying(state);
	const count = groups.reduce((sum, { sessions }) => sum + sessions.length, 0);
	const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
	return count === 0 ? "maintenance" : `${formatCounted(count, "session")}, ${formatSize(bytes)} could go`;
}

/** Work in progress, or what could not be determined. */
function workNote(state: State): string | undefined {
	const { catalog } = state;
	const tidy = TIDY.of(state);
	if (!catalog.complete) return "listing …";
	const { queue, done, compared } = DOCTOR.of(state);
	if (done < queue.length) return `examined ${formatCount(done)} of ${formatCount(queue.length)} …`;
	if (!compared) return "comparing with the others …";
	if (isLooking(state)) return "looking at directories …";
	if (MOVED.of(state).finding.length > 0) return "looking for new places …";
	const left = familiesToCompare(state).length;
	const total = selectFamilies(state).length;
	if (left > 0)
		return tidy.isStopped
			? `stopped: ${formatCount(left)} of ${formatCount(total)} families of forks were not compared`
			: `comparing forks: ${formatCount(total - left)} of ${formatCount(total)} …`;
	if (catalog.counted < catalog.countable) return "counting …";
	const unknown = [...tidy.fates.values()].filter(({ kind }) => kind === "unknown").length;
	return unknown === 0 ? undefined : `${formatCounted(unknown, "directory", "directories")} could not be checked`;
}

/** Keys of all sessions of the group under the cursor. */
function keysInGroup(state: State): readonly string[] {
	const here = selectedRow(state);
	const heading = selectRows(state).find(({ key }) => here !== undefined && key === headingOf(here));
	return heading === undefined ? [] : keysOf(state, heading);
}

function bytesOf(row: MaintenanceRow): number {
	return row.type === "trashed" ? row.item.size : (listedRow(row)?.size ?? 0);
}

function preview(state: State): PagePreview {
	const row = selectedRow(state);
	switch (row?.type) {
		case "session":
			return { row: row.session.row, title: titleOf(row.session, state.environment.home) };
		case "trashed": {
			const { item } = row;
			const shown = { row: TRASH.of(state).rows.get(item.key), title: titleOfItem(item, TRASH.of(state).rows) };
			if (item.trashed !== undefined) return shown;
			const path = shortenHome(item.path, state.environment.home);
			const instead = `This system does not report where its trash put the file. Restore it there; it belongs to ${path}.`;
			return { ...shown, instead };
		}
		case "moving":
		case "damaged":
			return { row: row.row, title: sessionTitle(row.row) };
		case "finding":
			return aboutFinding(row.finding, row.path, state);
		case "directory":
			return aboutDirectory(row.directory, state);
		case "problem":
			return { row: undefined, title: cleanText("Problem"), instead: row.text };
		case "group":
			return aboutGroup(row.group, state);
		default:
			return { row: undefined, title: cleanText(""), instead: "" };
	}
}

const DELETE =
	"Nothing is marked for you: space marks a session, or a whole group. Deleted sessions go to the system's trash, and one undo restores them.";

/** What can be done in a group. */
const HOW_TO: Readonly<Record<GroupId, string>> = {
	damaged:
		"→ on a session shows what is wrong with it, enter repairs it, after asking; a examines all that the list shows.",
	gone: "Enter on a directory forks its sessions to where they belong now and archives the originals, after asking.",
	duplicate: DELETE,
	empty: DELETE,
	old: `n takes another number of days. ${DELETE}`,
	trash: "Enter on a session brings it back to its place.",
	problems: "",
};

/** Beside a heading: its contents, and what can be done with them. */
function aboutGroup({ id, count, bytes, note }: Group, state: State): PagePreview {
	const { name, rule } = groupWords(id, TIDY.of(state).oldDays);
	const what = id === "problems" ? formatCounted(count, "problem") : formatCounted(count, "session");
	const sum = [what, ...(bytes === 0 ? [] : [formatSize(bytes)]), ...(note === undefined ? [] : [note])].join(", ");
	return { row: undefined, title: cleanText(name), instead: `${sum}: ${rule}. ${HOW_TO[id]}` };
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

/** Beside a missing directory: where its sessions may belong, and why. */
function aboutDirectory({ key, archived }: SessionGroup, state: State): PagePreview {
	const { home } = state.environment;
	const fate = TIDY.of(state).fates.get(key);
	const found = proposalsFor(state, key).map(
		({ directory, reasons }) => `${shortenHome(directory, home)} (${reasons.map(reasonWords).join(", ")})`,
	);
	const sentences = [
		fate?.kind === "unknown" ? `It could not be checked: ${fate.why}.` : "The directory no longer exists.",
		found.length === 0
			? "Enter asks where its sessions belong now."
			: `They may belong in ${found.join(", or in ")}. Enter asks first.`,
		...(archived === 0
			? []
			: [`${formatCounted(archived, "more session")} of it ${archived === 1 ? "is" : "are"} in the archive.`]),
	];
	return { row: undefined, title: sanitizeLine(shortenHome(key, home)), instead: sentences.join(" ") };
}

/** For a duplicate, the session that contains it. */
function titleOf({ row, within }: TidySession, home: string): CleanText {
	if (within === undefined) return sessionTitle(row);
	return joinText(cleanText("all of it is in "), sanitizeLine(shortenHome(within.path, home)));
}
