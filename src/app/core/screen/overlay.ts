import type { Message } from "../../../changes/answer.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import { showLong } from "../../../ui/field/show-long.ts";
import { filterTitle, showEdited } from "../../../ui/pane-title.ts";
import { formatCount, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { blanks, type CleanText, cleanText, sanitizeLine, sliceText } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, joinEnds, lineWidth, textWidth } from "../../../ui/text/width.ts";
import { wrapLine } from "../../../ui/text/wrap.ts";
import type { Box, MenuView, OverlayView, PromptView } from "../../../ui/view.ts";
import { selectBlame } from "../../features/blame/blame-box.ts";
import { selectCommands } from "../../features/commands/commands-box.ts";
import { selectHelp } from "../../features/help/help-page.ts";
import { selectCandidates, selectFieldHint } from "../../features/list/candidates.ts";
import { selectProjects } from "../../features/list/projects-overlay.ts";
import { keyHints, selectFooter } from "../../world/keys/key.ts";
import { undoLabel } from "../../world/keys/undo-keys.ts";
import { searchOf } from "../../world/list/list-search.ts";
import {
	mostTextRows,
	overlayBox,
	overlayWidth,
	PROMPT_TEXT,
	shownItems,
	textCell,
	textColumns,
} from "../../world/screen/menus.ts";
import { candidateRow } from "../../world/screen/prompt-completion.ts";
import { isPage, type MenuItem, type MenuOverlay, type PromptOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** The row of an overlay's title, counted from its first row of text. */
const TITLE_ROW = -1;
const MARK_WIDTH = 2;
/** Minimum width of a menu's text, in cells. */
const MIN_MENU_TEXT = 30;
/** Minimum of visible items in a menu that is too long for the terminal. */
const LEAST_ITEMS = 3;
/** Maximum of rows per line of a body: enough for any path, not for a whole first message. */
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
			return selectCommands(state, overlay);
		case "projects":
			return selectProjects(state, overlay);
		case "blame":
			return selectBlame(state, overlay);
	}
}

function menuView(state: State, overlay: MenuOverlay): MenuView {
	const { title, body, items, query, index, danger } = overlay;
	const widest = Math.max(
		MIN_MENU_TEXT,
		textWidth(sanitizeLine(title)),
		...body.map(lineWidth),
		...items.map(({ hasRoom, ...item }) => textWidth(itemText(item)) + MARK_WIDTH + (hasRoom ? NO_ROOM.length : 0)),
		lineWidth(keyHints(state, state.size.columns)) + 1,
	);
	const width = overlayWidth(widest, state.size);
	const room = textColumns(width);
	const height = Math.min(items.length, Math.max(LEAST_ITEMS, mostTextRows(state.size) - body.length));
	// The box is as large as all items need, so that it stays where it is while something is typed.
	const namedItems = shownItems(overlay);
	const first = Math.max(0, Math.min(index - Math.floor(height / 2), namedItems.length - height));
	const placed = placeBody(state, body, height, width);
	const shownNow = namedItems.slice(first, first + height);
	const isTyped = query.text.trim() !== "";
	const name = titleLine(title, isTyped ? Math.floor(room / 2) : room);
	const notes = namedItems.length === 0 ? [span("  nothing matches", "warning")] : [];
	const typed = filterTitle({ name, query, hint: "", notes, focused: isTyped }, room);
	return {
		kind: "menu",
		...placed,
		title: typed.title,
		cursor: typed.cursor === undefined ? undefined : textCell(placed, TITLE_ROW, typed.cursor),
		items: shownNow.map((item) => cutText(itemText(item), room - MARK_WIDTH)),
		notes: shownNow.map(({ checked, hasRoom }) =>
			checked !== true || hasRoom?.(state) !== false ? blanks(0) : NO_ROOM,
		),
		first,
		index: index - first,
		danger,
		hint: keyHints(state, room),
	};
}

const NO_ROOM = cleanText("  no room at this width");

function itemText({ label, checked }: MenuItem): CleanText {
	if (checked === undefined) return cleanText(label);
	return cleanText(`${checked ? "[x]" : "[ ]"} ${label}`);
}

function promptView(state: State, overlay: PromptOverlay): PromptView {
	const { title, body, value } = overlay;
	const width = overlayWidth(PROMPT_TEXT, state.size);
	const room = textColumns(width);
	const height = overlay.isLong === true ? Math.max(1, Math.min(LONG_ROWS, mostTextRows(state.size) - body.length)) : 1;
	const placed = placeBody(state, [...body, ...candidateRow(state, room)], height, width);
	const { texts, row, column } = overlay.isLong === true ? showLong(value, room, height) : oneRow(value, room);
	return {
		kind: "prompt",
		title: titleLine(title, room),
		...placed,
		texts: [...texts, ...Array<CleanText>(height - texts.length).fill(blanks(0))],
		isSelected: value.isSelected ?? false,
		fieldWidth: room,
		cursor: textCell(placed, placed.body.length + row, column),
		hint: keyHints(state, room),
	};
}

/** Rows of a field for several lines, where there is room. */
const LONG_ROWS = 5;

function oneRow(value: EditedText, room: number): ReturnType<typeof showLong> {
	const { text, cursor } = showEdited(value, room);
	return { texts: [text], row: 0, column: cursor };
}

function titleLine(title: string, room: number): Line {
	return [strong(cutText(sanitizeLine(title), room))];
}

/**
 * The box around a body and the rows of a menu or field below it. If there is room, there is a blank row between the two,
 * and another above the hint.
 */
function placeBody({ size }: State, body: readonly Line[], rows: number, width: number): Box & { body: Line[] } {
	// A small terminal cuts the end of the text: the items must be visible, and the text begins with what matters most.
	const lines = wrapBody(body, textColumns(width), Math.max(0, mostTextRows(size) - rows));
	const spacedBody = lines.length === 0 ? [] : [...lines, []];
	const spacedRows = spacedBody.length + rows + 1;
	if (spacedRows > mostTextRows(size)) return { ...overlayBox(width, lines.length + rows, size), body: lines };
	return { ...overlayBox(width, spacedRows, size), body: spacedBody };
}

/** The body in at most `most` rows: each line gets one, and spare rows are given to the last lines first. */
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

/**
 * The message in as many rows as it needs: errors, also of a filter, must be readable to the end. Only a message that is
 * longer than the screen is cut. During completion the candidates are shown instead, and while the value of a field is
 * typed, what the field takes.
 */
export function selectMessage(state: State): readonly Line[] | undefined {
	const candidates = selectCandidates(state.typing, state.size);
	if (candidates !== undefined) return [candidates];
	const hint = selectFieldHint(state);
	if (hint !== undefined) return [hint];
	const message = state.message ?? workUnderWay(state) ?? whatIsWrong(state);
	if (message === undefined) return undefined;
	const { columns, rows } = state.size;
	const lines = message.text.split("\n").map((line) => withUndo(sanitizeLine(line), message.tone, state));
	const wrapped = lines.flatMap((line) => wrapLine(line, Math.max(1, columns - 2)));
	const drawn = wrapped.slice(0, rows).map((row, index): Line => {
		const isCut = index === rows - 1 && wrapped.length > rows;
		return [span(" "), ...row, ...(isCut ? [span(" …", message.tone)] : [])];
	});
	return wrapped.length < rows ? withFooter(drawn, state) : drawn;
}

/** A message beside as many keys of the footer as there is room for, or above the footer if there is no room: it must not be in the way of the mouse. */
function withFooter(message: readonly Line[], state: State): readonly Line[] {
	const footer = selectFooter(state);
	const last = message.at(-1);
	if (footer.length === 0 || last === undefined) return message;
	const { columns } = state.size;
	const room = columns - lineWidth(last) - 1;
	const hints = keyHints(state, room, true);
	if (lineWidth(hints) > room) return [...message, footer];
	return [...message.slice(0, -1), joinEnds(last, hints, columns)];
}

/** A line of a message, in which a click on the key of undo, and on what is said of it, is that key. */
function withUndo(line: CleanText, tone: Message["tone"], state: State): Line {
	const at = line.indexOf(` · ${undoLabel(state)} `);
	if (at === -1) return [{ text: line, tone }];
	const start = at + " · ".length;
	return [
		{ text: sliceText(line, 0, start), tone },
		{ text: sliceText(line, start), tone, press: "undo" },
	];
}

function workUnderWay({ progress }: State): Message | undefined {
	if (progress === undefined) return undefined;
	const { what, done, total, isStopped } = progress;
	const how = isStopped ? "stopping" : "esc stops it";
	return { text: `${what}: ${formatCount(done)} of ${formatCount(total)}; ${how}`, tone: "accent" };
}

function whatIsWrong(state: State): Message | undefined {
	const problem = state.overlays.length > 0 ? undefined : filterProblem(state);
	return problem === undefined ? undefined : { text: problem, tone: "error" };
}

/** The mistake in the filter of the focused pane, or why the search of the list is not complete. */
function filterProblem(state: State): string | undefined {
	const { focus, tree } = state;
	const { mistake, error } = searchOf(state);
	if (focus === "list") return mistake?.message ?? error ?? unreadSessions(state);
	return focus === "tree" ? tree.mistake : undefined;
}

function unreadSessions(state: State): string | undefined {
	const { catalog, environment } = state;
	const unread = [...searchOf(state).unread].filter(([path]) => catalog.rows.has(path));
	const [first] = unread;
	if (first === undefined) return undefined;
	const [path, reason] = first;
	const rest = unread.length === 1 ? "" : ` and ${formatCounted(unread.length - 1, "other session")}`;
	return `not searched: ${shortenHome(path, environment.home)} (${reason})${rest}`;
}
