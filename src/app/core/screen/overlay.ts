import { showEdited } from "../../../ui/field/filter-title.ts";
import type { Line } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutLine, cutText, lineWidth, textWidth } from "../../../ui/text/width.ts";
import { wrapLine } from "../../../ui/text/wrap.ts";
import type { Box, MenuView, OverlayView, PromptView } from "../../../ui/view.ts";
import { selectProjects } from "../../features/list/projects-overlay.ts";
import { placeLines } from "../../features/maintenance/place-candidates.ts";
import { selectPalette } from "../../features/palette/palette-view.ts";
import { tagLines } from "../../features/sessions/tag-lines.ts";
import { keyHints } from "../../world/footer.ts";
import { mostTextRows, overlayBox, overlayWidth, PROMPT_TEXT, textCell, textColumns } from "../../world/overlay-box.ts";
import { bindingsFor } from "../../world/state/binding.ts";
import type { MenuOverlay, PromptOverlay } from "../../world/state/overlays.ts";
import { isPage } from "../../world/state/page-kind.ts";
import type { State } from "../../world/state/state.ts";
import { selectHelp } from "./help.ts";

/** Cells of the mark before a menu's item. */
const MARK_WIDTH = 2;
/** A menu's text is at least this wide, in cells. */
const MIN_MENU_TEXT = 30;
/** Items that are seen of a menu that is too long for the terminal. */
const LEAST_ITEMS = 3;
/** Rows of a line of a body at most: enough for any path, not for a whole first message. */
const LINE_ROWS = 4;

/** The topmost overlay, cut to the terminal. */
export function selectOverlay(state: State): OverlayView | undefined {
	const overlay = state.overlays.at(-1);
	if (overlay === undefined || isPage(overlay)) return undefined;
	switch (overlay.kind) {
		case "menu":
			return menuView(state, overlay);
		case "prompt":
			return promptView(state, overlay);
		case "help":
			return selectHelp(state, overlay);
		case "palette":
			return selectPalette(state, overlay);
		case "projects":
			return selectProjects(state, overlay);
	}
}

function menuView(state: State, { title, body, items, index, danger }: MenuOverlay): MenuView {
	const widest = Math.max(
		MIN_MENU_TEXT,
		textWidth(sanitizeLine(title)),
		...body.map(lineWidth),
		...items.map(({ label }) => textWidth(cleanText(label)) + MARK_WIDTH),
	);
	const width = overlayWidth(widest, state.size);
	const room = textColumns(width);
	const height = Math.min(items.length, Math.max(LEAST_ITEMS, mostTextRows(state.size) - body.length));
	const first = Math.max(0, Math.min(index - Math.floor(height / 2), items.length - height));
	return {
		kind: "menu",
		title: titleLine(title, room),
		...placeBody(state, body, height, width),
		items: items.slice(first, first + height).map(({ label }) => cutText(cleanText(label), room - MARK_WIDTH)),
		first,
		index: index - first,
		danger,
		hint: keyHints(bindingsFor(state), room),
	};
}

function promptView(state: State, overlay: PromptOverlay): PromptView {
	const { title, body, value } = overlay;
	const width = overlayWidth(PROMPT_TEXT, state.size);
	const room = textColumns(width);
	const placed = placeBody(
		state,
		[...body, ...tagLines(state, overlay, room), ...placeLines(state, overlay, room)],
		1,
		width,
	);
	const { text, cursor } = showEdited(value, room);
	return {
		kind: "prompt",
		title: titleLine(title, room),
		...placed,
		text,
		isSelected: value.isSelected ?? false,
		fieldWidth: room,
		cursor: textCell(placed, placed.body.length, cursor),
		hint: keyHints(bindingsFor(state), room),
	};
}

function titleLine(title: string, room: number): Line {
	return [strong(cutText(sanitizeLine(title), room))];
}

/**
 * The box around a body and the rows of a menu or field below it. Where the terminal has room, there is a blank row
 * between the two, and another above the hint.
 */
function placeBody({ size }: State, body: readonly Line[], rows: number, width: number): Box & { body: Line[] } {
	// In a small terminal the end of a text is left out: the items must be there, and what matters most is said first.
	const lines = wrapBody(body, textColumns(width), Math.max(0, mostTextRows(size) - rows));
	const spacedBody = lines.length === 0 ? [] : [...lines, []];
	const spacedRows = spacedBody.length + rows + 1;
	if (spacedRows > mostTextRows(size)) return { ...overlayBox(width, lines.length + rows, size), body: lines };
	return { ...overlayBox(width, spacedRows, size), body: spacedBody };
}

/** The body in at most `most` rows: each line has one, the last ones first get as many more as they need and there are. */
function wrapBody(body: readonly Line[], width: number, most: number): Line[] {
	let spare = most - body.length;
	const lines = body.slice(0, most).toReversed();
	const wrapped = lines.map((line) => {
		const rows = line.some(({ isOneRow }) => isOneRow) ? [cutLine(line, width)] : wrapLine(line, width);
		const room = Math.max(1, Math.min(LINE_ROWS, 1 + spare));
		spare -= Math.min(rows.length, room) - 1;
		return rows.length <= room ? rows : [...rows.slice(0, room - 1), cutLine(joinRows(rows.slice(room - 1)), width)];
	});
	return wrapped.toReversed().flat();
}

function joinRows(rows: readonly Line[]): Line {
	return rows.flatMap((row, index) => (index === 0 ? row : [span(" "), ...row]));
}
