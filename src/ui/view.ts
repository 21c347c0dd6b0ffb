import type { Ground, Line } from "./text/line.ts";
import type { CleanText } from "./text/sanitize.ts";

/**
 * What the screen shows, as plain data: selectors make it from the state, components draw it. All text here is clean, as its
 * type ensures, and fits in its place; components only fill rows to their edge, and choose between the forms of a text.
 */

export interface RowView {
	/** Identity of the thing shown: session path, entry id, line number. */
	readonly key: string;
	readonly line: Line;
	readonly selected: boolean;
	/** Ground of the whole row, to the edge of its pane. Default: none. */
	readonly ground?: Ground;
}

/** In cells. */
export interface Size {
	readonly columns: number;
	readonly rows: number;
}

/** A box on the screen: the zero-based cell of its top left corner, and its size in cells. */
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

export interface PaneView<Id extends string = string> extends Box {
	readonly id: Id;
	/** What it shows, and the typed filter; at most `titleRoom` cells. */
	readonly title: Line;
	/** How it is filtered and ordered, right of the title: several forms, the longest first; the first that fits is drawn. */
	readonly settings: readonly Line[];
	/** Position of its cursor, "12/1,204"; "" for none. */
	readonly position: CleanText;
	/** The cell of the title where the next character is typed. */
	readonly cursor?: number | undefined;
	readonly focused: boolean;
	/** At most `height` rows, from the top. */
	readonly rows: readonly RowView[];
}

/** A rule above or below panes. */
export interface RuleView extends Cell {
	readonly line: Line;
}

/** The rule below panes that are side by side. */
export interface BottomView {
	readonly y: number;
	/** What stands in it below the last pane, at its right end: several forms, the longest first; the first that fits is drawn. */
	readonly note: readonly Line[];
	/** The same below the first pane. */
	readonly first: readonly Line[];
	/** What stands in it instead of all that. */
	readonly instead?: Line | undefined;
}

/** A bordered box over the panes: rows of text, items or a field below them, and a hint in the last row. */
interface OverlayFrame extends Box {
	readonly title: Line;
	readonly body: readonly Line[];
	readonly hint: Line;
	/** Cell of the terminal's cursor, if something is typed. */
	readonly cursor?: Cell | undefined;
}

/** A small fixed menu or a confirmation. */
export interface MenuView extends OverlayFrame {
	readonly kind: "menu";
	/** The visible items. */
	readonly items: readonly CleanText[];
	/** What is said behind each of them. */
	readonly notes?: readonly CleanText[];
	/** Index of the first visible item among all. */
	readonly first: number;
	/** Index of the highlighted item. */
	readonly index: number;
	readonly danger: boolean;
}

/** An editor of one line, or of several. */
export interface PromptView extends OverlayFrame {
	readonly kind: "prompt";
	/** The part of the text that fits, in its rows. */
	readonly texts: readonly CleanText[];
	readonly isSelected: boolean;
	/** Width of the field in cells. */
	readonly fieldWidth: number;
}

/** A scrolled page of text; only the visible rows. */
export interface HelpView extends OverlayFrame {
	readonly kind: "help";
	/** Drawn at the right end of the bottom border. */
	readonly position: CleanText;
}

export type OverlayView = MenuView | PromptView | HelpView;

/** The whole screen: header, panes with the rules around them, footer, and an overlay. */
export interface ScreenView<Id extends string = string> extends Size {
	/** The smallest size that can be drawn, if the terminal is smaller: then only that is said. */
	readonly smallest?: Size;
	readonly header: Line;
	readonly panes: readonly PaneView<Id>[];
	readonly bottom?: BottomView | undefined;
	/** Last row: the keys that work now. */
	readonly footer: Line;
	/** All rows of a message; they end in the last row of the screen, over everything else. */
	readonly message?: readonly Line[] | undefined;
	readonly overlay?: OverlayView | undefined;
	/** Cell of the terminal's own cursor where something is typed. */
	readonly cursor: Cell | undefined;
	/** Cell of the selected row, where the cursor stands otherwise: hidden, but known to programs that read the screen. */
	readonly selected?: Cell | undefined;
}
