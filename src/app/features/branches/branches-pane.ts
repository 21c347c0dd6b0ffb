import { SORT_NAMES } from "../../../conversation/branches/branch-order.ts";
import { filterTitle, paneName, titleRoom } from "../../../ui/pane-title.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Ground, type Line, span, strong } from "../../../ui/text/line.ts";
import { blanks, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutWords } from "../../../ui/text/width.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import {
	branchOfEntry,
	type ShownBranches,
	selectBranches,
	selectedBranch,
	selectedBranchRow,
	selectShownBranches,
} from "../../world/opened/select-branches.ts";
import { branchHeadRows } from "../../world/screen/layout.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { drawBranchRow, drawHeads } from "./draw-branch.ts";
import { previewRows } from "./draw-path.ts";

export function selectBranchesPane(state: State, box: Box): AppPane {
	const overview = selectShownBranches(state);
	const position = cleanText(overview === undefined ? "" : countOfEnds(overview));
	const { query } = state.branches;
	const typed = {
		name: paneName("branches", true),
		query,
		hint: "type to filter",
		notes: [],
		focused: state.filtering === "branches",
	};
	return {
		id: "branches",
		...box,
		...filterTitle(typed, titleRoom(box, position)),
		settings: sortSettings(state),
		position,
		focused: true,
		rows: branchRowViews(state, overview, box),
	};
}

export function selectBranchPreview(state: State, box: Box): AppPane {
	const branches = selectBranches(state);
	const branch = selectedBranch(state);
	const index = branch === undefined ? undefined : branches?.indexes.get(branch.id);
	const size = { width: box.width - 1, height: box.height };
	const rows =
		branches === undefined || index === undefined
			? []
			: previewRows(branches, index, size, state.environment.home, state.now);
	const since = branch?.kind === "abandoned" ? "  since its fork" : "";
	const room = titleRoom(box, blanks(0));
	const name = cutWords(sanitizeLine(branch?.label ?? branch?.name ?? ""), room - since.length);
	return {
		id: "reader",
		...box,
		title: cutLine([strong(name), span(since, "muted")], room),
		settings: [],
		position: blanks(0),
		focused: false,
		rows: rows.map(({ line, ground }, at) => rowView(at, [{ text: blanks(1) }, ...line], ground)),
	};
}

function branchRowViews(state: State, overview: ShownBranches | undefined, box: Box): RowView[] {
	const { width, height } = box;
	if (overview === undefined) return [note("Reading the branches …", "wait", width)];
	const { rows, branches } = overview;
	const head = branchHeadRows(box);
	const cursor = selectedBranchRow(state, overview);
	const { top } = state.branches;
	const marked = new Set(state.branches.marked.flatMap((id) => branchOfEntry(branches, id) ?? []));
	const drawing = { width, now: state.now, marked };
	const views: RowView[] = head === 0 ? [] : [{ key: "heads", line: drawHeads(width), selected: false }];
	for (const [index, row] of rows.slice(top, top + height - head).entries()) {
		const selected = top + index === cursor;
		const key = row.kind === "branch" ? (branches.list[row.branch]?.id ?? "") : `fork ${row.left}`;
		views.push({ key, line: drawBranchRow(row, selected, overview, drawing), selected });
	}
	if (rows.length === 0) views.push(note("No branch matches.", "none", width));
	if (branches.forks === 0 && views.length + 2 <= height)
		views.push(note("", "gap", width), note("This session has no forks: it is a single path.", "no-forks", width));
	return views;
}

/** "12 branches", or with a filter "3 of 12 branches". */
function countOfEnds({ ends, branches }: ShownBranches): string {
	const all = formatCounted(branches.ends, "branch", "branches");
	return ends === branches.ends ? all : `${formatCount(ends)} of ${all}`;
}

/** "newest ▾": the order; a click chooses another one. */
function sortSettings({ branches }: State): Line[] {
	return [[{ ...span(`${SORT_NAMES[branches.sort]} ▾`, "muted"), press: "order-branches" }]];
}

function rowView(index: number, line: Line, ground: Ground | undefined): RowView {
	return { key: String(index), line, selected: false, ...(ground === undefined ? {} : { ground }) };
}

function note(text: string, key: string, width: number): RowView {
	return { key, line: cutLine([span(`  ${text}`, "muted")], width), selected: false };
}
