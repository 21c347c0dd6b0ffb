import { TO_DIGEST_ENTRY } from "../../../conversation/tree/draw-row.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import type { MouseEvent } from "../../../ui/keys/decode-input.ts";
import { screenRules } from "../../../ui/pane-title.ts";
import { selectedText } from "../../../ui/selection.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { lineWidth, textWidth } from "../../../ui/text/width.ts";
import type { Box, Cell, OverlayView } from "../../../ui/view.ts";
import { commandAtCell, openCommands } from "../../features/commands/commands-box.ts";
import { searchFor } from "../../features/help/help-page.ts";
import { takeAlternativeAt } from "../../features/list/alternative-rows.ts";
import { SIGN_WIDTH } from "../../features/list/draw-row.ts";
import { projectAtCell } from "../../features/list/projects-overlay.ts";
import { SESSIONS } from "../../features/list/session-rows.ts";
import { unfoldRow } from "../../features/reader/reader-keys.ts";
import { openRun } from "../../features/runs/open-run.ts";
import { isHeading } from "../../world/list/headings.ts";
import { addToQuery, toggleFold } from "../../world/list/list-actions.ts";
import { selectList } from "../../world/list/select-list.ts";
import { firstSaved, savedHeight } from "../../world/list/select-saved.ts";
import { runAtRow } from "../../world/opened/select-reader.ts";
import { runBinding } from "../../world/page/way-back.ts";
import { layoutFor, moveDivider, type PlacedDivider } from "../../world/screen/layout.ts";
import { FRAME_ROWS, shownItems, textCell } from "../../world/screen/menus.ts";
import { takeCandidate } from "../../world/screen/prompt-completion.ts";
import { bindingFor, bindingsFor, commandFor } from "../../world/state/binding.ts";
import { closeOverlay, isChoice, isPage, pageOf, replaceTop, topOverlay } from "../../world/state/overlays.ts";
import {
	type AppPane,
	type AppScreen,
	type Focus,
	type State,
	type Transition,
	transition,
} from "../../world/state/state.ts";
import { openedPage } from "../features/features.ts";
import { selectMessage } from "../screen/overlay.ts";
import { selectScreen } from "../screen/select-screen.ts";
import { moveIn, moveInOverlay } from "./keyboard.ts";

/** A second press within this time opens what the first one selected. */
const DOUBLE_MS = 400;

/** Commands that a double click in a pane runs, whichever the pane has. */
const GOES_ON: readonly string[] = [
	TO_DIGEST_ENTRY,
	"open-run",
	"open-runs",
	"next-pane",
	"full-page",
	"read-branch",
	"run-saved",
];

/** The command that a press on the message runs, "" for none; undefined for a press anywhere else. */
export function pressedInMessage(state: State, { kind, x, y }: MouseEvent): string | undefined {
	const message = selectMessage(state) ?? [];
	const line = kind === "press" ? message[y - (state.size.rows - message.length)] : undefined;
	return line && (commandAt(line, x) ?? "");
}

/** `at`: Unix ms. */
export function handleMouse(state: State, event: MouseEvent, at: number): Transition {
	switch (event.kind) {
		case "wheel":
			// The rows under the pointer have moved, so two presses with a turn in between are two clicks.
			return transition(turnWheel(withoutPress(state), event, event.rows));
		case "drag":
			return transition(drag(state, event));
		case "release":
			return release(state, event);
		case "menu":
			return openAt(state, event);
		case "press": {
			const { pressed, appearedMs } = state.mouse;
			const isAgain = pressed?.x === event.x && pressed.y === event.y && at - pressed.atMs <= DOUBLE_MS;
			// What the first press has chosen or closed is not what the second one is on.
			if (isAgain && pressed.inOverlay) return transition({ ...state, mouse: { ...state.mouse, pressed: undefined } });
			const top = topOverlay(state);
			const inOverlay = top !== undefined && !isPage(top);
			if (inOverlay && at - appearedMs <= DOUBLE_MS) return transition(state);
			// A pane may get another place with the focus: it waits for the release, since the text may be dragged over.
			const isHeld = !isAgain && isTextBeside(state, event);
			const here = { x: event.x, y: event.y, atMs: at, inOverlay, isHeld };
			const mouse = { ...state.mouse, dragged: undefined, pressed: isAgain ? undefined : here };
			return isHeld ? transition({ ...state, mouse }) : press({ ...state, mouse }, event, isAgain);
		}
	}
}

/** Whether a cell is in the text or the tree beside the pane with the focus, and no command is there. */
function isTextBeside(state: State, cell: Cell): boolean {
	if (topOverlay(state) !== undefined) return false;
	const pane = selectScreen(state).panes.find((each) => isIn(each, cell));
	if (pane === undefined || pane.id === state.focus || (pane.id !== "tree" && pane.id !== "reader")) return false;
	return pressedSpan(pane, cell)?.press === undefined;
}

/** Puts the cursor where the pointer is, and opens the commands, which begin with what is there. */
function openAt(state: State, cell: Cell): Transition {
	const top = topOverlay(state);
	if (top !== undefined && !isPage(top)) return transition(state);
	const [pressed, effects] = press(state, cell, false);
	return topOverlay(pressed) === topOverlay(state) ? [openCommands(pressed), effects] : [pressed, effects];
}

function turnWheel(state: State, cell: Cell, rows: number): State {
	const overlay = topOverlay(state);
	if (overlay !== undefined) return moveInOverlay(state, { rows: overlay.kind === "menu" ? Math.sign(rows) : rows });
	const pane = selectScreen(state).panes.find((each) => isIn(each, cell));
	return pane === undefined || isPreview(state, pane) ? state : moveIn(state, pane.id, { rows });
}

/** Beside the branches the reader is only a preview of one, without a cursor or a scroll position. */
function isPreview({ focus }: State, { id }: AppPane): boolean {
	return focus === "branches" && id === "reader";
}

function drag(state: State, { x, y }: Cell): State {
	const divider = dividersOf(state).find(({ name }) => name === state.mouse.dragged);
	if (divider === undefined) return select(state, { x, y });
	// A press that became a drag is not a click.
	return { ...withoutPress(state), split: moveDivider(state.split, divider, isRow(divider) ? y : x) };
}

function withoutPress(state: State): State {
	return state.mouse.pressed === undefined ? state : { ...state, mouse: { ...state.mouse, pressed: undefined } };
}

/** Selects from the cell that was pressed in a pane to the one under the pointer, or the nearest one of that pane. */
function select(state: State, { x, y }: Cell): State {
	const { selection, pressed } = state.mouse;
	const from = selection?.from ?? (pressed?.inOverlay === false ? pressed : undefined);
	const view = selectScreen(state);
	const pane = from && view.overlay === undefined ? view.panes.find((each) => isIn(each, from)) : undefined;
	if (from === undefined || pane === undefined) return state;
	const to = {
		x: Math.max(pane.x, Math.min(x, pane.x + pane.width - 1)),
		y: Math.max(pane.y, Math.min(y, pane.y + pane.height - 1)),
	};
	return { ...state, mouse: { ...state.mouse, pressed: undefined, selection: { pane: pane.id, from, to } } };
}

/**
 * Ends dragging. A title row that was pressed but not dragged was clicked, so its pane gets the focus; so was a pane without the focus that
 * might have been dragged over. What was selected is copied.
 */
function release(state: State, cell: Cell): Transition {
	const { dragged, pressed, selection } = state.mouse;
	if (selection !== undefined) return copySelection(state, selection);
	const view = selectScreen(state);
	if (pressed?.isHeld === true) {
		const now = { ...state, mouse: { ...state.mouse, pressed: { ...pressed, isHeld: false } } };
		return press(now, pressed, false);
	}
	if (dragged === undefined) return transition(state);
	const next = { ...state, mouse: { ...state.mouse, dragged: undefined } };
	const pane = pressed && view.panes.find((each) => isInTitle(each, cell));
	return transition(pane === undefined || isPreview(state, pane) ? next : { ...next, focus: pane.id });
}

function copySelection(state: State, selection: NonNullable<State["mouse"]["selection"]>): Transition {
	const pane = selectScreen(state).panes.find(({ id }) => id === selection.pane);
	const text = pane === undefined ? "" : selectedText(pane, selection);
	return text === "" ? transition(state) : transition(state, { type: "copy", text, what: "the selection" });
}

function press(state: State, cell: Cell, isSecond: boolean): Transition {
	const view = selectScreen(state);
	if (view.smallest !== undefined) return transition(state);
	if (view.overlay !== undefined) return pressOverlay(state, view.overlay, cell);
	if (pageOf(state) !== undefined) return pressPage(state, view, cell, isSecond);
	const pane = view.panes.find((each) => isIn(each, cell) || isInTitle(each, cell));
	const pressed = pane && pressedSpan(pane, cell);
	const command = pressedCommand(view, cell) ?? pressed?.press;
	if (pressed?.types !== undefined && pane?.id === "list" && !isSecond)
		return transition(typeFromRow(state, cell, pressed.types));
	if (command !== undefined) return runCommand(onRow(state, pane, cell), pane?.id ?? state.focus, command);
	const divider = dividersOf(state).find(({ box }) => isIn(box, cell));
	if (divider !== undefined) return transition({ ...state, mouse: { ...state.mouse, dragged: divider.name } });
	if (pane === undefined || isPreview(state, pane)) return transition(state);
	const focused: State = { ...state, focus: pane.id };
	if (pane.id === "list" && isIn(pane, cell)) return pressInList(state, pane, cell, isSecond);
	const run = pane.id === "reader" && isIn(pane, cell) ? runAtRow(state, cell.y - pane.y) : undefined;
	if (run !== undefined) return transition(openRun(focused, run));
	const unfolded = pane.id === "reader" && isIn(pane, cell) ? unfoldRow(state, cell.y - pane.y) : undefined;
	if (unfolded !== undefined) return transition({ ...unfolded, focus: pane.id });
	if (isSecond && state.focus === pane.id) return goOn(state);
	const delta = isIn(pane, cell) ? rowsFromCursor(pane, cell.y - pane.y) : 0;
	return transition(delta === 0 ? focused : moveIn(focused, pane.id, { rows: delta }));
}

/** With the cursor of the tree on the row that is pressed, for a command in it. */
function onRow(state: State, pane: AppPane | undefined, { y }: Cell): State {
	const delta = pane?.id === "tree" ? rowsFromCursor(pane, y - pane.y) : 0;
	return delta === 0 ? state : moveIn(state, "tree", { rows: delta });
}

/** Moves the cursor to a session, or marks it; folds or unfolds a project whose heading is pressed. */
function pressInList(state: State, box: Box, cell: Cell, isSecond: boolean): Transition {
	const focused: State = { ...state, focus: "list", saved: { ...state.saved, index: undefined } };
	const row = cell.y - box.y;
	if (row < savedHeight(state)) {
		const chosen = { ...focused, saved: { ...state.saved, index: firstSaved(state) + row } };
		return isSecond ? goOn(chosen) : transition(chosen);
	}
	const searching = takeAlternativeAt(focused, cell.y);
	if (searching !== undefined) return transition(searching);
	const index = SESSIONS.indexAt(state, cell.y);
	const item = index === undefined ? undefined : selectList(state).items[index];
	if (index === undefined || item === undefined) return transition(focused);
	if (isHeading(item)) return transition(item.heading === undefined ? focused : toggleFold(focused, item.heading));
	const isOnSign = cell.x < box.x + SIGN_WIDTH;
	if (isSecond && state.focus === "list" && !isOnSign) return goOn(state);
	const moved = moveIn(focused, "list", { rows: index - state.list.index });
	return isOnSign ? runCommand(moved, "list", "mark-here") : transition(moved);
}

/** A press on a row of a page moves the cursor there, a second one is Enter; a press on a command runs that. */
function pressPage(state: State, view: AppScreen, cell: Cell, isSecond: boolean): Transition {
	const command = pressedCommand(view, cell);
	const binding = command === undefined ? undefined : commandFor(state, command);
	if (binding !== undefined && binding.needs?.(state) === undefined) return runBinding(state, binding);
	const pane = view.panes.find((each) => each.focused && isIn(each, cell));
	if (pane === undefined) return transition(state);
	const pressed = openedPage(state)?.press?.(state, cell.y - pane.y, cell.x - pane.x);
	if (pressed !== undefined && (!isSecond || pressed === state)) return transition(pressed);
	const delta = pressed === undefined ? rowsFromCursor(pane, cell.y - pane.y) : 0;
	if (delta !== 0) return transition(moveInOverlay(state, { rows: delta }));
	const enter = isSecond ? bindingFor(state, "enter") : undefined;
	return enter === undefined ? transition(state) : runBinding(state, enter);
}

/** Distance of a row of a pane from the cursor; 0 if there is no row or no cursor. */
function rowsFromCursor({ rows }: AppPane, row: number): number {
	if (rows[row] === undefined) return 0;
	const cursor = rows.findIndex(({ selected }) => selected);
	if (cursor === -1) return 0;
	return row - cursor;
}

/** Folds or unfolds a branch if the cursor is on one, otherwise runs the command of a double click. A row of the digest leads on. */
function goOn(state: State): Transition {
	const sign = bindingFor(state, " ");
	const next = bindingsFor(state).find(({ id }) => GOES_ON.includes(id));
	const binding = sign?.id === "toggle-branch" && next?.id !== TO_DIGEST_ENTRY ? sign : next;
	return binding === undefined ? transition(state) : runBinding(state, binding);
}

/** Runs a command of a pane, or does nothing if it cannot act. */
function runCommand(state: State, pane: Focus, id: string): Transition {
	const focused: State = { ...state, focus: pane };
	const command = commandFor(focused, id);
	return command === undefined || command.needs?.(focused) !== undefined
		? transition(state)
		: runBinding(focused, command);
}

function pressedCommand(view: AppScreen, { x, y }: Cell): string | undefined {
	const { header, footer, rows } = view;
	if (y === 0) return commandAt(header, x);
	const rule = screenRules(view).find((each) => each.y === y && x >= each.x && x < each.x + lineWidth(each.line));
	if (rule !== undefined) return commandAt(rule.line, x - rule.x);
	return y === rows - 1 ? commandAt(footer, x) : undefined;
}

function pressedSpan(pane: AppPane, { x, y }: Cell): Span | undefined {
	return spanAt(pane.rows[y - pane.y]?.line ?? [], x - pane.x);
}

function commandAt(line: Line, column: number): string | undefined {
	return spanAt(line, column)?.press;
}

function spanAt(line: Line, column: number): Span | undefined {
	let end = 0;
	return line.find(({ text }) => {
		end += textWidth(text);
		return column < end;
	});
}

/** Adds what is pressed to the query of the list. The cursor is on the session whose row says it, which the query finds. */
function typeFromRow(state: State, { y }: Cell, part: string): State {
	const index = SESSIONS.indexAt(state, y);
	const focused: State = { ...state, focus: "list", saved: { ...state.saved, index: undefined } };
	if (index === undefined) return addToQuery(focused, part);
	const next = addToQuery(moveIn(focused, "list", { rows: index - state.list.index }), part);
	// A search may find it later than others, such as one of another machine.
	return { ...next, list: { ...next.list, cursorSet: true, pendingSelection: next.list.selected } };
}

/**
 * A press on an item chooses it, and toggles a check box; one beside a menu, or a list of commands or projects, closes that; one on a key in
 * the last row of any box is that key. One on the text of a prompt selects it, so that what is typed replaces it; one on what it offers takes
 * that.
 */
function pressOverlay(state: State, view: OverlayView, cell: Cell): Transition {
	const overlay = topOverlay(state);
	const hint = textCell(view, view.height - FRAME_ROWS, 0);
	const id = cell.y === hint.y && cell.x >= hint.x ? commandAt(view.hint, cell.x - hint.x) : undefined;
	const hinted = id === undefined ? undefined : commandFor(state, id);
	if (hinted !== undefined) return runBinding(state, hinted);
	if (overlay?.kind === "prompt" && cell.y === view.cursor?.y && isIn(view, cell))
		return transition(replaceTop(state, { ...overlay, value: withSelection(overlay.value) }));
	if (view.kind === "prompt") return pressPrompt(state, view, cell);
	const query = overlay?.kind === "help" ? typedAt(view, cell) : undefined;
	if (query !== undefined) return transition(searchFor(state, query));
	if (!isChoice(overlay) && overlay?.kind !== "blame") return transition(state);
	if (!isIn(view, cell)) return transition(closeOverlay(state));
	if (overlay.kind === "blame") return transition(state);
	const index =
		overlay.kind === "projects"
			? projectAtCell(state, overlay, cell)
			: overlay.kind === "palette"
				? commandAtCell(state, overlay, cell)
				: itemAtCell(view, shownItems(overlay).length, cell);
	if (index === undefined) return transition(state);
	const chosen = replaceTop(state, { ...overlay, index });
	const binding = commandFor(chosen, "toggle-box") ?? commandFor(chosen, "choose");
	return binding === undefined ? transition(chosen) : runBinding(chosen, binding);
}

function withSelection({ isSelected, ...field }: EditedText): EditedText {
	return isSelected ? field : { ...field, isSelected: true };
}

/** What a press there types. */
function typedAt(view: OverlayView, cell: Cell): string | undefined {
	const { x, y } = textCell(view, 0, 0);
	return spanAt(view.body[cell.y - y] ?? [], cell.x - x)?.types;
}

/** A press on what a prompt offers inserts it, and then is Enter if nothing more can follow. */
function pressPrompt(state: State, view: OverlayView, cell: Cell): Transition {
	const text = typedAt(view, cell);
	if (text === undefined) return transition(state);
	const { state: taken, isWhole } = takeCandidate(state, text);
	const enter = isWhole ? commandFor(taken, "choose") : undefined;
	return enter === undefined ? transition(taken) : runBinding(taken, enter);
}

function itemAtCell(view: OverlayView, count: number, { y }: Cell): number | undefined {
	if (view.kind !== "menu") return undefined;
	const index = view.first + y - (view.y + 1 + view.body.length);
	return index < 0 || index >= count ? undefined : index;
}

function dividersOf(state: State): readonly PlacedDivider[] {
	return layoutFor(state).dividers;
}

function isRow({ box }: PlacedDivider): boolean {
	return box.height === 1;
}

function isIn({ x, y, width, height }: Box, cell: Cell): boolean {
	return cell.x >= x && cell.x < x + width && cell.y >= y && cell.y < y + height;
}

function isInTitle(pane: AppPane, cell: Cell): boolean {
	return isIn({ ...pane, y: pane.y - 1, height: 1 }, cell);
}
