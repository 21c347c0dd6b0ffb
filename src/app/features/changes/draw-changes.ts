import { changeSpans } from "../../../conversation/entries/change-spans.ts";
import { RUN_SIGN } from "../../../conversation/entries/run-outcome.ts";
import { turnNames } from "../../../edits/edit-turns.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { RowDrawing } from "../../world/page/define-rows.ts";
import { drawDiffRow, rowLead } from "../../world/page/file-diffs.ts";
import type { State } from "../../world/state/state.ts";
import { type ChangesRow, selectChanges, selectLayout, selectOpen } from "./changes-state.ts";
import type { Changes, ShownFile } from "./effects/changes-effects.ts";
import { hasMark, isTakenBack } from "./marked-hunks.ts";
import { turnOfGap } from "./row-edits.ts";

export function drawChanges(state: State): (row: ChangesRow, drawing: RowDrawing) => Line {
	const layout = selectLayout(state);
	const open = selectOpen(state);
	const changes = selectChanges(state);
	return (row, { width, selected }) => {
		const sign = hasMark(state, row) ? span("✓", "current") : row.isCommented ? span("✎", "label") : undefined;
		const lead = rowLead(selected, sign);
		const mark = isTakenBack(state, row);
		const end = mark === "first" ? [span("   taken back ", "warning")] : [];
		if (row.index === -1) return drawHeading(row.file, { width, lead, isOpen: open.has(row.file), changes, end });
		if (row.said !== undefined) return [...lead, ...row.said];
		const line = drawDiffRow(row, layout, changes?.renderers, lead);
		if (mark !== undefined) return joinEnds(dimmed(line), end, width);
		const turn =
			changes === undefined || row.shows[0]?.kind !== "gap" ? "" : turnOfGap(row, changes, state.environment.home);
		return turn === "" ? line : joinEnds(line, [span(turn, "muted"), span(" ")], width);
	};
}

/** A line without its colors, and without the blanks that they fill. */
function dimmed(line: Line): Line {
	const last = line.findLastIndex(({ text }) => text.trim() !== "");
	return line.slice(0, last + 1).map(({ ground: _, bold: __, ...rest }): Span => ({ ...rest, tone: "muted" }));
}

interface HeadingDrawing extends Pick<RowDrawing, "width"> {
	readonly lead: Line;
	readonly isOpen: boolean;
	readonly changes: Changes | undefined;
	/** What stands behind its lines. */
	readonly end: Line;
}

/** Minimum cells of a name: the turns are left out first. */
const LEAST_NAME = 24;

const ANSWERS = { exact: "exact", likely: "likely", edits: "edit by edit", reading: "reading …" } as const;

/** A file with its lines, the turns that changed it, and how sure that is. */
function drawHeading(file: ShownFile, { width, lead, isOpen, changes, end }: HeadingDrawing): Line {
	const lines = [...changeSpans(file), ...end];
	const turns = span(`   ${turnWords(file.edits, changes?.key.session.path)}`, "muted");
	const answer = span(`   ${ANSWERS[file.answer].padEnd(12)} `, "muted");
	const forms: readonly Line[] = [
		[...lines, turns, answer],
		[...lines, answer],
		[...lines, span(" ")],
	];
	const right = forms.find((form) => lineWidth(form) + LEAST_NAME <= width) ?? [];
	const room = width - lineWidth(right) - 5;
	const name = { text: cutTextStart(sanitizeLine(file.path), room), bold: true };
	return joinEnds([...lead, span(isOpen ? "▾ " : "▸ ", "accent"), name], right, width);
}

/** Turns that are named one by one; more are a range. */
const MOST_NAMED = 3;

/** `turnNames` of the session; a sign where its runs have edited. */
function turnWords(edits: readonly SessionEdit[], path: string | undefined): string {
	const ownEdits = edits.filter(({ session }) => session === path);
	return [turnNames(ownEdits, MOST_NAMED), ownEdits.length === edits.length ? "" : RUN_SIGN]
		.filter((words) => words !== "")
		.join(" ");
}
