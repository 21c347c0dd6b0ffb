import type { SessionRow } from "../../catalog/model/row.ts";
import type { Term } from "../../catalog/query/parse-query.ts";
import { rangesIn } from "../../catalog/query/snippet.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { selectedRow } from "../list/select-list.ts";
import { inner } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import type { Box, Line, PaneView, RowView, Tone } from "../model/view.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { highlight } from "../text/highlight.ts";
import { type CleanText, cleanText, sanitizeLine } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { cutLine } from "../text/width.ts";
import { wrapText } from "../text/wrap.ts";
import { drawEntryRow } from "../tree/draw-entry.ts";
import type { ShownTree } from "../tree/draw-tree.ts";
import { entryInSight, searchTerms } from "../tree/entry-layout.ts";
import { selectedTreeIndex, selectTree } from "../tree/select-tree.ts";
import { whyNoEntryMatches } from "./nothing-found.ts";

/** The tree of the session under the list's cursor, the rows in sight. */
export function selectTreePane(state: State, box: Box): PaneView {
	const tree = selectTree(state);
	const row = selectedRow(state);
	const title = row === undefined ? [span("tree")] : treeTitle(row, filterNote(state));
	return {
		id: "tree",
		...box,
		title: cutLine(title, Math.max(0, box.width - 6)),
		position: cleanText(tree === undefined ? "" : position(state, tree)),
		focused: state.focus === "tree",
		rows: tree === undefined || tree.rows.length === 0 ? noTree(state, tree, box) : visibleRows(state, tree, box),
	};
}

/** The full text of the entry under the tree's cursor, the rows in sight. */
export function selectEntryPane(state: State, box: Box): PaneView {
	const { layout, top, height } = entryInSight(state) ?? { layout: undefined, top: 0, height: 0 };
	const rows = layout?.rows ?? [];
	const more = layout?.isComplete === false ? "+" : "";
	const terms = searchTerms(state);
	return {
		id: "entry",
		...box,
		title: [span("entry")],
		position: cleanText(
			rows.length > height
				? `${formatCount(Math.min(top + height, rows.length))}/${formatCount(rows.length)}${more}`
				: "",
		),
		focused: state.focus === "entry",
		rows: rows.slice(top, top + height).map(({ text, tone, bold }, index) => ({
			key: String(top + index),
			line: highlighted(text, tone, bold, terms),
			selected: false,
		})),
	};
}

/** A row of text with the hits in it marked. */
function highlighted(text: CleanText, tone: Tone, bold: boolean, terms: readonly Term[]): Line {
	const ranges = terms.length === 0 ? [] : rangesIn(text, terms);
	return ranges.length === 0 ? [{ text, tone, bold }] : highlight(text, ranges, tone);
}

/** The session's title, with the number of problems in it; the page of problems lists them. */
function treeTitle(row: SessionRow, note: Line): Line {
	const title = span(`tree · ${sessionTitle(row)}`);
	const damage = row.diagnostics.filter(({ severity }) => severity === "damage").length;
	const damaged: Line = damage === 0 ? [] : [span(`! ${formatCounted(damage, "problem")} · `, "warning")];
	return [...note, ...damaged, title];
}

/** The tree's filter, when the query line does not show it: nothing is hidden silently. */
function filterNote({ focus, tree }: State): Line {
	if (focus === "tree" || tree.query.text === "") return [];
	return [span(`filtered by ${sanitizeLine(tree.query.text)} · `, "warning")];
}

function visibleRows(state: State, tree: ShownTree, box: Box): RowView[] {
	const { width, height } = inner(box);
	const cursor = selectedTreeIndex(state, tree);
	const { labelTimes, top } = state.tree;
	const { session } = tree;
	return tree.rows.slice(top, top + height).map((row, index) => {
		const selected = top + index === cursor;
		const drawing = { width, selected, session, labelTimes, home: state.environment.home, now: state.now };
		return { key: row.entry.id, line: drawEntryRow(row, drawing), selected };
	});
}

/** Cursor and number of rows, as "12/340", with the number of all entries when a filter hides some. */
function position(state: State, tree: ShownTree): string {
	const { filter } = state.tree;
	const all = tree.session.entries.length;
	const shown = tree.visible.sizes.size;
	const filtered = shown === all ? "" : ` of ${formatCount(all)}`;
	const name = filter === "default" ? "" : ` [${filter}]`;
	return `${formatCount(selectedTreeIndex(state, tree) + 1)}/${formatCount(tree.rows.length)}${filtered}${name}`;
}

function noTree(state: State, tree: ShownTree | undefined, box: Box): RowView[] {
	const { width, height } = inner(box);
	const [text, tone] = reason(state, tree);
	return wrapText(text, width - 2)
		.slice(0, height)
		.map((line, index) => ({ key: String(index), line: [span(` ${line}`, tone)], selected: false }));
}

function reason(state: State, tree: ShownTree | undefined): readonly [string, Tone] {
	const { detail } = state;
	if (detail.status === "failed") return [detail.message, "error"];
	if (tree === undefined) return [detail.status === "none" ? "" : "Reading …", "muted"];
	if (tree.session.entries.length === 0) {
		const damage = tree.session.diagnostics.map((diagnostic) => diagnostic.message);
		return [
			damage.length === 0 ? "This session has no entries yet." : damage.join(" "),
			damage.length === 0 ? "muted" : "error",
		];
	}
	return [whyNoEntryMatches(state), "muted"];
}
