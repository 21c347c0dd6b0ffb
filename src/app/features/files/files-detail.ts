import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import { fileDiffRows, MOST_ROWS } from "../../../conversation/render/render-diff.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import { editDiff } from "../../../edits/edit-diff.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatDayTime } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Box } from "../../../ui/view.ts";
import { RENDERERS } from "../../world/opened/select-reader.ts";
import { textPane } from "../../world/page/page.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import type { FileSum } from "./effects/files-effects.ts";
import { FILE_SUMS, FILES, type FilesRow, selectedFilesRow, selectFound } from "./files-state.ts";

/** The pane with the diff of the edit under the cursor, or of all edits of the file. */
export function filesDetail(state: State, box: Box): AppPane {
	const row = selectedFilesRow(state);
	const rows = detailRows(state, box.width);
	const top = topRow(state, box);
	const visibleRows = rows.slice(top, top + box.height);
	const position =
		rows.length <= box.height ? "" : `${formatCount(top + visibleRows.length)}/${formatCount(rows.length)}`;
	const title = row === undefined ? [] : titleOf(row, state, box.width);
	return { ...textPane(box, title, visibleRows), position: cleanText(position) };
}

/** The first row in sight; the last one stays at the bottom of the pane. */
export function topRow(state: State, { width, height }: Pick<Box, "width" | "height">): number {
	return Math.max(0, Math.min(FILES.of(state).scrolled, detailRows(state, width).length - height));
}

function titleOf({ file, edit }: FilesRow, state: State, width: number): Line {
	const session = selectFound(state)?.session;
	const path = session === undefined ? file.path : shortPath(file.path, placeOf(session, state.environment.home));
	const isSum = FILES.of(state).isSummed && file.edits.every((one) => one.session === session?.path);
	const what = edit === undefined ? (isSum ? "all edits together" : "each edit") : editWords(edit, state.now);
	const words = cleanText(what);
	return [
		{ text: cutTextStart(sanitizeLine(path), Math.max(12, width - words.length - 8)), bold: true },
		span("  "),
		{ text: words, tone: "muted" },
	];
}

function detailRows(state: State, width: number): readonly Line[] {
	const row = selectedFilesRow(state);
	const session = selectFound(state)?.session;
	if (row === undefined || session === undefined) return [];
	const { isSummed } = FILES.of(state);
	return rowsOf(
		row,
		session,
		isSummed,
		FILE_SUMS.of(state).value?.get(row.file.path),
		width,
		RENDERERS.of(state).value,
		state.environment.home,
		state.now,
	);
}

/** A diff of thousands of lines is drawn for the frame, its position and each key that scrolls it. */
const rowsOf = memoLast(
	(
		{ file, edit }: FilesRow,
		session: Session,
		isSummed: boolean,
		sum: FileSum | undefined,
		width: number,
		renderers: Renderers | undefined,
		home: string,
		now: number,
	): readonly Line[] => {
		const draw = (lines: readonly DiffLine[]): Line[] => {
			return fileDiffRows(file.path, lines, width - 1, false, renderers).map((line) => [span(" "), ...line]);
		};
		const note = (text: string): Line[] => wrapText(text, width - 2).map((line) => [span(` ${line}`, "muted")]);
		const elsewhere = (one: SessionEdit): boolean => one.session !== session.path;
		const isOthers = "Made by a run of a subagent; enter opens it.";
		if (edit !== undefined && elsewhere(edit)) return note(isOthers);
		if (edit !== undefined) return draw(editDiff(edit, session, renderers, home));
		const hasOthers = file.edits.some(elsewhere);
		if (isSummed && !hasOthers && sum === undefined) return note("Adding up …");
		if (isSummed && sum?.lines !== undefined) {
			const doubt = sum.why === "" ? [] : [...note(`Possibly incomplete: ${sum.why}.`), []];
			const same = sum.lines.length === 0 ? note("The file ended as it was before the first edit.") : [];
			return [...doubt, ...same, ...draw(sum.lines)];
		}
		const why = hasOthers ? "runs of subagents edited it, too" : sum?.why;
		const rows: Line[] = isSummed ? [...note(`Shown edit by edit: ${why}.`), []] : [];
		for (const one of file.edits) {
			const lines = elsewhere(one) ? note(isOthers) : draw(editDiff(one, session, renderers, home));
			rows.push([span(` ${editWords(one, now)}`, "accent")], ...lines, []);
			if (rows.length > MOST_ROWS) break;
		}
		return rows.slice(0, MOST_ROWS);
	},
);

/** "turn 4 · 9:41 · edit". */
export function editWords({ turn, timeMs, tool, isActive }: SessionEdit, now: number): string {
	const where = isActive ? "" : "on another branch";
	const parts = [`turn ${formatCount(turn)}`, formatDayTime(timeMs, now), tool, where];
	return cleanText(parts.filter((part) => part !== "").join(" · "));
}
