import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import { RUN_SIGN } from "../../../conversation/entries/run-outcome.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { largest } from "../../../shared/columns.ts";
import type { LineChange } from "../../../store/format/tool-change.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, cutTextStart, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import { agentOfRun, familiesOf } from "../../world/list/families.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { Notice } from "../../world/page/define-rows.ts";
import type { State } from "../../world/state/state.ts";
import { editWords, filesDetail } from "./files-detail.ts";
import { FILE_SUMS, FILES, type FilesRow, FOUND_FILES, selectFilesRows, selectFound } from "./files-state.ts";

/** The part of the screen's width that the title of the session may take: the sums stand beside it. */
const TITLE_PART = 6;

/** The files that the open session has changed, and the diff of the one under the cursor. */
export const FILES_PAGE = definePage<FilesRow>({
	kind: "files",
	slice: FILES,
	name: "files",
	title: (state) => {
		const { row } = state.detail;
		return row === undefined
			? "files"
			: `files of “${cutText(sessionTitle(row), Math.floor(state.size.columns / TITLE_PART))}”`;
	},
	rows: selectFilesRows,
	draw: (state) => {
		const sessionFiles = selectFound(state);
		const { opened } = FILES.of(state);
		return (row, { width, selected }) =>
			sessionFiles === undefined
				? []
				: drawFilesRow(row, {
						width,
						selected,
						session: sessionFiles.session,
						all: sessionFiles.files,
						isOpen: opened.has(row.file.path),
						home: state.environment.home,
						now: state.now,
						agentOf: (path) => agentAt(state, path),
					});
	},
	notes: sums,
	nothing,
	moved: (next) => FILES.with(next, { scrolled: 0 }),
	second: filesDetail,
	queries: [FOUND_FILES, FILE_SUMS],
});

/** The totals of all files, and the changes that they lack, the longest form first. */
function sums(state: State): readonly Line[] {
	const sessionFiles = selectFound(state);
	if (sessionFiles === undefined) return [[]];
	const { files, commands, unplaced, runs, unread, isWhole } = sessionFiles;
	const added = files.reduce((sum, file) => sum + file.added, 0);
	const removed = files.reduce((sum, file) => sum + file.removed, 0);
	const lines: Line = [
		span(formatCounted(files.length, "file"), "muted"),
		span(`  +${formatCount(added)}`, "added"),
		span(` −${formatCount(removed)}`, "removed"),
		...(runs.length === 0 ? [] : [span(`  ${RUN_SIGN}${formatCount(runs.length)}`, "muted")]),
	];
	const unseen = [
		...(isWhole || runs.length === 0 ? [] : [`reading ${formatCounted(runs.length, "run")} of subagents …`]),
		...(unread === 0 ? [] : [`without the changes of ${formatCounted(unread, "unreadable run")}`]),
		...(commands === 0 ? [] : [`without the changes of ${formatCounted(commands, "shell command")}`]),
		...(unplaced === 0 ? [] : [`without ${formatCounted(unplaced, "edit")} of unknown files`]),
	];
	return unseen.length === 0 ? [lines] : [[...lines, span(`  ${unseen.join(", ")}`, "muted")], lines];
}

function nothing(state: State): Notice {
	const sessionFiles = selectFound(state);
	if (sessionFiles?.isWhole === true) {
		const hasRuns = sessionFiles.runs.length > 0;
		const who = hasRuns
			? "Neither the session nor a run of its subagents changed a file"
			: "The session changed no file";
		return [`${who} with pi's tools. Changes by shell commands are not tracked.`];
	}
	return [state.detail.session === undefined ? "No session is open." : "Reading …"];
}

interface FilesDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly session: Session;
	/** The changes of all files, by which the columns are as wide as they need to be. */
	readonly all: readonly LineChange[];
	readonly isOpen: boolean;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
	readonly agentOf: (path: string) => string;
}

function agentAt({ catalog: { rows, counts } }: State, path: string): string {
	const row = rows.get(path);
	return (row && agentOfRun(row, familiesOf(rows), counts)) || "a subagent";
}

/** Minimum cells of a name: numbers are left out first, beginning with the number of edits. */
const LEAST_NAME = 24;

/** A file with its lines, edits and turns, or one edit. */
function drawFilesRow({ file, edit }: FilesRow, drawing: FilesDrawing): Line {
	const { width, selected, session, home, now, all, isOpen, agentOf } = drawing;
	const lead = span(selected ? "› " : "  ", "accent");
	if (edit !== undefined) {
		const by = edit.session === session.path ? "" : `${RUN_SIGN} ${agentOf(edit.session)} · `;
		const leftEnd = [lead, span(`    ${by}${editWords(edit, now)}`, edit.isActive ? "text" : "muted")];
		return joinEnds(leftEnd, [...changeSpans(edit, all), span(" ")], width);
	}
	const isAbandoned = !file.edits.some(({ isActive }) => isActive);
	const numbers = changeSpans(file, all);
	const edits = span(`  ${formatCounted(file.edits.length, "edit").padStart(9)}`, "muted");
	const turns = span(`  ${turnWords(file.edits, session.path).padEnd(12)}`, "muted");
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

/** "turns 3–21", "turn 4" of the session; a sign where only its runs have edited. */
function turnWords(edits: readonly SessionEdit[], path: string): string {
	const turns = edits.filter(({ session }) => session === path).map(({ turn }) => turn);
	if (turns.length === 0) return RUN_SIGN;
	const [first, last] = [Math.min(...turns), Math.max(...turns)];
	return first === last ? `turn ${formatCount(first)}` : `turns ${formatCount(first)}–${formatCount(last)}`;
}
