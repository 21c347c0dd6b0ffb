import type { LineChange } from "../../../conversation/entries/line-change.ts";
import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { largest } from "../../../shared/columns.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatCounted, formatDayTime } from "../../../ui/text/format.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { FilesRow } from "./files-rows.ts";

/** What rows are drawn with. */
export interface FilesDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly session: Session;
	/** The changes of all files, by which the columns are as wide as they need to be. */
	readonly all: readonly LineChange[];
	readonly isOpen: boolean;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** Cells that a name has at least; numbers are left out before that, those of the edits first. */
const LEAST_NAME = 24;

/** A file with its lines, edits and turns, or one edit. */
export function drawFilesRow({ file, edit }: FilesRow, drawing: FilesDrawing): Line {
	const { width, selected, session, home, now, all, isOpen } = drawing;
	const lead = span(selected ? "› " : "  ", "accent");
	if (edit !== undefined) {
		const left = [lead, span(`    ${editWords(edit, now)}`, edit.isActive ? "text" : "muted")];
		return joinEnds(left, [...changeSpans(edit, all), span(" ")], width);
	}
	const isAbandoned = !file.edits.some(({ isActive }) => isActive);
	const numbers = changeSpans(file, all);
	const edits = span(`  ${formatCounted(file.edits.length, "edit").padStart(9)}`, "muted");
	const turns = span(`  ${turnWords(file.edits).padEnd(12)}`, "muted");
	const right =
		[[...numbers, edits, turns], [...numbers, edits], numbers].find((form) => lineWidth(form) + LEAST_NAME <= width) ??
		[];
	const room = width - lineWidth(right) - 5;
	const name = cutTextStart(sanitizeLine(shortPath(file.path, placeOf(session, home))), room);
	const fold = span(isOpen ? "⊟ " : "⊞ ", "accent");
	return joinEnds([lead, fold, { text: name, tone: isAbandoned ? "muted" : "text" }], right, width);
}

/** "  +12  −3", each column as wide as its widest number. */
function changeSpans({ added, removed }: LineChange, all: readonly LineChange[]): Span[] {
	const column = (sign: string, lines: number, most: number, tone: "added" | "removed"): Span => {
		const text = lines === 0 ? "" : `${sign}${formatCount(lines)}`;
		return span(`  ${text.padStart(formatCount(most).length + 1)}`, tone);
	};
	return [
		column("+", added, largest(all.map((one) => one.added)), "added"),
		column("−", removed, largest(all.map((one) => one.removed)), "removed"),
	];
}

/** "turns 3–21", "turn 4". */
function turnWords(edits: readonly SessionEdit[]): string {
	const turns = edits.map(({ turn }) => turn);
	const [first, last] = [Math.min(...turns), Math.max(...turns)];
	return first === last ? `turn ${formatCount(first)}` : `turns ${formatCount(first)}–${formatCount(last)}`;
}

/** "turn 4 · 9:41 · edit". */
export function editWords({ turn, timeMs, tool, isActive }: SessionEdit, now: number): string {
	const where = isActive ? "" : "on another branch";
	const parts = [`turn ${formatCount(turn)}`, formatDayTime(timeMs, now), tool, where];
	return cleanText(parts.filter((part) => part !== "").join(" · "));
}
