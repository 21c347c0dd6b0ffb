import type { CleanText } from "../text/sanitize.ts";

/**
 * What the screen shows, as plain data: the selectors make it from the state, the components draw it.
 * All text in here is clean, which its type ensures, and cut to its width in terminal cells; a component never measures or
 * cuts.
 */

/** What a piece of text is, so that `components/theme.ts` alone chooses colors. */
export type Tone =
	| "text"
	| "muted"
	| "accent"
	| "user"
	| "assistant"
	| "tool"
	| "label"
	| "summary"
	| "current"
	| "match"
	| "warning"
	| "error";

export interface Span {
	readonly text: CleanText;
	/** Default: "text". */
	readonly tone?: Tone;
	readonly bold?: boolean;
}

/** One terminal row of text, at most as wide as the box that it is drawn in. */
export type Line = readonly Span[];

/** One row of a pane. */
export interface RowView {
	/** Identity of the thing shown (session path, entry id, line number), as React key. */
	readonly key: string;
	readonly line: Line;
	/** The row under the cursor; drawn over the pane's whole inner width. */
	readonly selected: boolean;
}

/** A box on the screen: zero-based cell of its top left corner, and its size in cells, border included. */
export interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** A cell of the screen, zero-based. */
export interface Cell {
	readonly x: number;
	readonly y: number;
}

/** A bordered box with a title and rows. */
export interface PaneView extends Box {
	readonly id: "list" | "tree" | "entry";
	readonly title: Line;
	/** Drawn at the right end of the bottom border, as "12/1,204". */
	readonly position: CleanText;
	readonly focused: boolean;
	/** At most `height - 2` rows, from the top. */
	readonly rows: readonly RowView[];
}

/** A bordered box over the panes: rows of text, what is chosen or typed below them, and a hint in the last row. */
interface OverlayFrame extends Box {
	readonly title: Line;
	/** The rows of text, blank ones included. */
	readonly body: readonly Line[];
	readonly hint: Line;
}

/** A small fixed menu or a confirmation. */
export interface MenuView extends OverlayFrame {
	readonly kind: "menu";
	readonly items: readonly CleanText[];
	/** Index of the highlighted item. */
	readonly index: number;
	readonly danger: boolean;
}

/** A one-line editor. */
export interface PromptView extends OverlayFrame {
	readonly kind: "prompt";
	/** The part of the text that fits. */
	readonly text: CleanText;
	/** Cells of the field that the text is in. */
	readonly fieldWidth: number;
	/** Cell of the terminal's cursor. */
	readonly cursor: Cell;
}

/** A page of text, scrolled: only the rows in sight. */
export interface HelpView extends OverlayFrame {
	readonly kind: "help";
	/** Drawn at the right end of the bottom border. */
	readonly position: CleanText;
}

export type OverlayView = MenuView | PromptView | HelpView;

/** The whole screen, `columns` × `rows` cells: header, query, panes, footer, and an overlay. */
export interface ScreenView {
	readonly columns: number;
	readonly rows: number;
	/** Set when the terminal is smaller than the smallest layout: only these rows are drawn, from the first one. */
	readonly tooSmall?: readonly Line[];
	/** First row. */
	readonly header: Line;
	/** Second row: the query that filters the focused pane. */
	readonly query: Line;
	readonly panes: readonly PaneView[];
	/** Last row: the keys that work now. */
	readonly footer: Line;
	/** Rows of a message, as many as it takes: the last one in the last row, over everything else. */
	readonly message?: readonly Line[] | undefined;
	readonly overlay?: OverlayView | undefined;
	/** Cell of the terminal's own cursor; hidden without one. */
	readonly cursor: Cell | undefined;
}
