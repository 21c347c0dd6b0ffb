import { SIGN_WIDTH } from "../list/draw-row.ts";
import type { TrashItem, TrashState } from "../model/trash-state.ts";
import type { Line } from "../model/view.ts";
import { formatLabelTime, formatSize, shortenHome } from "../text/format.ts";
import { blanks, cleanText, sanitizeLine } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { cutTextStart, joinEnds, padText } from "../text/width.ts";
import { titleOfItem } from "./trash-items.ts";

export interface ItemDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly marked: boolean;
	readonly rows: TrashState["rows"];
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** From these widths on, a row has the project, who deleted it, and the size. */
const PROJECT_FROM_WIDTH = 70;
const WHO_FROM_WIDTH = 56;
const SIZE_FROM_WIDTH = 44;
const PROJECT_SHARE = 0.24;
const WHO_WIDTH = 15;
const SIZE_WIDTH = 8;
const TIME_WIDTH = 11;

/** A deleted session: its title, its project, who deleted it and when, its size. */
export function drawItem(item: TrashItem, drawing: ItemDrawing): Line {
	const { width, selected, marked, rows } = drawing;
	const sign = [span(selected ? "›" : " ", "accent"), marked ? strong("✓", "current") : span(" ")];
	const title = span(titleOfItem(item, rows), item.trashed === undefined || !item.isListable ? "muted" : "text");
	return joinEnds([...sign, title], columns(item, drawing), Math.max(SIGN_WIDTH, width));
}

function columns({ deletedMs, isOurs, size, key, path }: TrashItem, { width, rows, home, now }: ItemDrawing): Line {
	const room = Math.floor(width * PROJECT_SHARE);
	const cwd = rows.get(key)?.cwd ?? "";
	const project = cutTextStart(sanitizeLine(shortenHome(cwd === "" ? path : cwd, home)), room);
	const when = Number.isNaN(deletedMs) ? "" : formatLabelTime(new Date(deletedMs).toISOString(), now);
	return [
		...(width >= PROJECT_FROM_WIDTH ? [span(`  ${padText(project, room)}`, "muted")] : []),
		...(width >= WHO_FROM_WIDTH
			? [span(`  ${(isOurs ? "pi-grove" : "another program").padEnd(WHO_WIDTH)}`, "muted")]
			: []),
		...(width >= SIZE_FROM_WIDTH ? [span(`  ${formatSize(size).padStart(SIZE_WIDTH)}`, "muted")] : []),
		span(`  ${when.padStart(width >= WHO_FROM_WIDTH ? TIME_WIDTH : 0)} `, "muted"),
	];
}

/** The heads of these columns. */
export function drawHeads(width: number): Line {
	const room = Math.floor(width * PROJECT_SHARE);
	return joinEnds(
		[{ text: blanks(SIGN_WIDTH) }, span("title", "muted")],
		[
			...(width >= PROJECT_FROM_WIDTH ? [span(`  ${padText(cleanText("project"), room)}`, "muted")] : []),
			...(width >= WHO_FROM_WIDTH ? [span(`  ${"deleted by".padEnd(WHO_WIDTH)}`, "muted")] : []),
			...(width >= SIZE_FROM_WIDTH ? [span(`  ${"size".padStart(SIZE_WIDTH)}`, "muted")] : []),
			span(`  ${"when".padStart(width >= WHO_FROM_WIDTH ? TIME_WIDTH : 0)} `, "muted"),
		],
		width,
	);
}
