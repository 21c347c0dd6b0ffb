import { noticeRows } from "../../ui/page/notice-rows.ts";
import { cursorIndex } from "../../ui/page/page-cursor.ts";
import { formatCount, formatCounted, formatSize } from "../../ui/text/format.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import type { Box, Line, RowView } from "../../ui/view.ts";
import { projectNames } from "../list/project-names.ts";
import type { AppPane, State } from "../model/state.ts";
import { headRows, layoutWithPreview } from "../page/page-layout.ts";
import { drawTidyHeads, drawTidyRow } from "./draw-tidy-row.ts";
import { familiesToCompare, isLooking, selectFamilies, selectTidying } from "./select-tidying.ts";
import { markedByKind, markedTidySum, selectTidyRows } from "./tidy-rows.ts";

/** What may be deleted: the rows in sight. */
export function selectTidyPane(state: State): AppPane {
	const { list } = layoutWithPreview(state.size);
	const rows = selectTidyRows(state);
	const cursor = cursorIndex(state.tidy.cursor, rows);
	return {
		id: "list",
		...list,
		title: [strong("tidy", "accent"), ...markedNote(state)],
		settings: notes(state),
		position: cleanText(cursor === -1 ? "" : `${formatCount(cursor + 1)}/${formatCount(rows.length)}`),
		focused: true,
		rows: rows.length === 0 ? noticeRows(nothing(state), "muted", list) : rowsInSight(state, list),
	};
}

function markedNote(state: State): Line {
	const { count, bytes } = markedTidySum(state);
	return count === 0 ? [] : [span(` ${formatCounted(count, "marked", "marked")} · ${formatSize(bytes)}`, "current")];
}

/** What is being looked at, or what there is, in the longest form that fits. */
function notes(state: State): Line[] {
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

function rowsInSight(state: State, { width, height }: Box): RowView[] {
	const rows = selectTidyRows(state);
	const { top } = state.tidy.cursor;
	const cursor = cursorIndex(state.tidy.cursor, rows);
	const heads = headRows(height);
	const projects = projectNames(state.catalog.rows);
	const { marked } = state.tidy.marks;
	const byKind = markedByKind(state);
	const { oldDays } = state.tidy;
	const { home, keymap } = state.environment;
	const [movedKey] = keymap.find(({ id }) => id === "moved")?.keys ?? [];
	const drawn = rows.slice(top, top + height - heads).map((row, index): RowView => {
		const selected = top + index === cursor;
		const line = drawTidyRow(row, {
			width,
			selected,
			marked,
			markedByKind: byKind,
			projects,
			oldDays,
			movedKey,
			home,
			now: state.now,
		});
		return { key: row.key, line, selected };
	});
	return heads === 0 ? drawn : [{ key: "heads", line: drawTidyHeads(width, projects), selected: false }, ...drawn];
}

function nothing(state: State): string {
	return workNote(state) === undefined
		? "There is nothing to tidy up: no session is a duplicate, empty, tiny, orphaned or old."
		: "Nothing was found so far.";
}
