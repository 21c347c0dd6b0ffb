import { basename, dirname } from "node:path";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatSize, shortenHome, timeCell } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart, joinEnds, padText } from "../../../ui/text/width.ts";
import type { TrashItem, TrashState } from "./maintenance-state.ts";

interface ItemDrawing {
	readonly width: number;
	readonly rows: TrashState["rows"];
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** From these widths on, a row shows the project, what deleted the session, and its size. */
const PROJECT_FROM_WIDTH = 70;
const WHO_FROM_WIDTH = 56;
const SIZE_FROM_WIDTH = 44;
const FOLDERS_FROM_WIDTH = 100;
const FOLDER_WIDTH = 10;
const PROJECT_SHARE = 0.24;
const WHO_WIDTH = 15;
const SIZE_WIDTH = 8;

/** Draws a deleted session: its title, its project, what deleted it, its size and when it was deleted. */
export function drawItem(item: TrashItem, drawing: ItemDrawing): Line {
	const { width, rows } = drawing;
	const title = span(titleOfItem(item, rows), item.trashed === undefined || !item.isListable ? "muted" : "text");
	return joinEnds([title], columns(item, drawing), width);
}

function columns({ deletedMs, isOurs, size, key, path }: TrashItem, { width, rows, home, now }: ItemDrawing): Line {
	// Narrow rows show only the last folder of a project.
	const room = width < FOLDERS_FROM_WIDTH ? FOLDER_WIDTH : Math.floor(width * PROJECT_SHARE);
	const cwd = rows.get(key)?.cwd ?? "";
	const directory = cwd === "" ? dirname(path) : cwd;
	const shown = width < FOLDERS_FROM_WIDTH ? basename(directory) : shortenHome(directory, home);
	const project = cutTextStart(sanitizeLine(shown), room);
	return [
		...(width >= PROJECT_FROM_WIDTH ? [span(`  ${padText(project, room)}`, "muted")] : []),
		...(width >= WHO_FROM_WIDTH
			? [span(`  ${(isOurs ? "pi-grove" : "another program").padEnd(WHO_WIDTH)}`, "muted")]
			: []),
		...(width >= SIZE_FROM_WIDTH ? [span(`  ${formatSize(size).padStart(SIZE_WIDTH)}`, "muted")] : []),
		span(`  ${timeCell(deletedMs, now, width)} `, "muted"),
	];
}

/** The title of a deleted session; the name of its file until that has been read. */
export function titleOfItem(item: TrashItem, rows: TrashState["rows"]): CleanText {
	const row = rows.get(item.key);
	return row === undefined ? sanitizeLine(basename(item.path)) : sessionTitle({ ...row, path: item.path });
}
