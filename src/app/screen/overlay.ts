import { bindingsFor } from "../keys/keymap.ts";
import type { MenuOverlay, PromptOverlay, State } from "../model/state.ts";
import type { Line, MenuView, OverlayView, PromptView } from "../model/view.ts";
import { cutLine, cutText, lineWidth, textWidth } from "../text/width.ts";
import { keyHints } from "./footer.ts";
import { selectHelp } from "./help.ts";
import { showEdited } from "./query-line.ts";

/** Cells beside the text of a box: border and one blank on each side, and the mark before a menu's item. */
const FRAME = 4;
const MARK = 2;
const PROMPT_WIDTH = 64;

/** The topmost overlay, cut to the terminal. */
export function selectOverlay(state: State): OverlayView | undefined {
	const overlay = state.overlays.at(-1);
	switch (overlay?.kind) {
		case undefined:
			return undefined;
		case "menu":
			return menuView(state, overlay);
		case "prompt":
			return promptView(state, overlay);
		case "help":
			return selectHelp(state, overlay);
	}
}

function menuView(state: State, { title, body, items, index, danger }: MenuOverlay): MenuView {
	const widest = Math.max(
		textWidth(title),
		...body.map(lineWidth),
		...items.map((item) => textWidth(item.label) + MARK),
	);
	const width = Math.min(state.size.columns, Math.max(widest, 30) + FRAME);
	const room = width - FRAME;
	return {
		kind: "menu",
		title: [{ text: cutText(title, room), bold: true }],
		body: body.map((line) => cutLine(line, room)),
		items: items.map(({ value, label }) => ({ value, label: cutText(label, room - MARK) })),
		index,
		danger,
		hint: hint(state, room),
		width,
	};
}

function promptView(state: State, { title, body, value }: PromptOverlay): PromptView {
	const width = Math.min(state.size.columns, PROMPT_WIDTH);
	const room = width - FRAME;
	return {
		kind: "prompt",
		title: [{ text: cutText(title, room), bold: true }],
		body: body.map((line) => cutLine(line, room)),
		...showEdited(value, room),
		hint: hint(state, room),
		width,
	};
}

function hint(state: State, room: number): Line {
	return keyHints(bindingsFor(state), room);
}
