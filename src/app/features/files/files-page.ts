import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cutText } from "../../../ui/text/width.ts";
import { definePage, type Notice } from "../../world/page/define-page.ts";
import { type State, shownSession } from "../../world/state/state.ts";
import { drawFilesRow } from "./draw-files-row.ts";
import { filesDetail } from "./files-detail.ts";
import { type FilesRow, selectFilesRows, selectFound } from "./files-rows.ts";
import { FILES } from "./files-state.ts";
import { syncFiles } from "./reconcile-files.ts";

/** The part of the screen's width that the title of the session may take: the sums stand beside it. */
const TITLE_PART = 6;

/** The files that the open session has changed, and the diff of the one under the cursor. */
export const FILES_PAGE = definePage<FilesRow>({
	kind: "files",
	slice: FILES,
	name: "files",
	title: (state) => {
		const row = state.detail.status === "none" ? undefined : state.detail.row;
		return row === undefined
			? "files"
			: `files of “${cutText(sessionTitle(row), Math.floor(state.size.columns / TITLE_PART))}”`;
	},
	rows: selectFilesRows,
	draw: (state) => {
		const found = selectFound(state);
		const { opened } = FILES.of(state);
		return (row, { width, selected }) =>
			found === undefined
				? []
				: drawFilesRow(row, {
						width,
						selected,
						session: found.session,
						all: found.files,
						isOpen: opened.has(row.file.path),
						home: state.environment.home,
						now: state.now,
					});
	},
	notes: sums,
	nothing,
	moved: (next) => FILES.with(next, { scrolled: 0 }),
	second: filesDetail,
	sync: syncFiles,
});

/** What all files come to, and what is not seen, the longest form first. */
function sums(state: State): readonly Line[] {
	const found = selectFound(state);
	if (found === undefined) return [[]];
	const { files, commands, unplaced } = found;
	const added = files.reduce((sum, file) => sum + file.added, 0);
	const removed = files.reduce((sum, file) => sum + file.removed, 0);
	const lines: Line = [
		span(formatCounted(files.length, "file"), "muted"),
		span(`  +${formatCount(added)}`, "added"),
		span(` −${formatCount(removed)}`, "removed"),
	];
	const unseen = [
		...(commands === 0 ? [] : [`not what ${formatCounted(commands, "command")} changed`]),
		...(unplaced === 0 ? [] : [`not ${formatCounted(unplaced, "edit")} of an unknown file`]),
	];
	return unseen.length === 0 ? [lines] : [[...lines, span(`  ${unseen.join(", ")}`, "muted")], lines];
}

function nothing(state: State): Notice {
	const found = selectFound(state);
	if (found !== undefined)
		return ["The session has changed no file with pi's tools. What shell commands changed is not seen."];
	return [shownSession(state.detail) === undefined ? "No session is open." : "Reading …"];
}
