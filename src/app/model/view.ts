/**
 * What the screen shows, as plain data: the selectors make it from the state, the components draw it.
 * All text in here is already sanitised and cut to its width in terminal cells; a component never measures or cuts.
 */

/** What a piece of text is, so that `components/theme.ts` alone decides on colours. */
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
	readonly text: string;
	/** Default: "text". */
	readonly tone?: Tone;
	readonly bold?: boolean;
}

/** One terminal row of text, at most as wide as the place that it is drawn in. */
export type Line = readonly Span[];

/** One row of a pane. */
export interface RowView {
	/** Identity of the thing shown (session path, entry id, line number), as React key. */
	readonly key: string;
	readonly line: Line;
	/** The row under the cursor; drawn over the pane's whole inner width. */
	readonly selected: boolean;
}

/** A bordered box with a title and rows. */
export interface PaneView {
	readonly id: "list" | "tree" | "entry";
	/** Zero-based cell of the box's top left corner. */
	readonly x: number;
	readonly y: number;
	/** Size of the box in cells, border included. */
	readonly width: number;
	readonly height: number;
	readonly title: Line;
	/** Drawn at the right end of the bottom border, as "12/1,204". */
	readonly position: string;
	readonly focused: boolean;
	/** At most `height - 2` rows, from the top. */
	readonly rows: readonly RowView[];
}

/** A small fixed menu or a confirmation, drawn over the panes. */
export interface MenuView {
	readonly kind: "menu";
	readonly title: Line;
	/** What it is about and what will happen. */
	readonly body: readonly Line[];
	readonly items: readonly { readonly value: string; readonly label: string }[];
	/** Index of the highlighted item. */
	readonly index: number;
	readonly danger: boolean;
	readonly hint: Line;
	/** Size of the box in cells, border included. */
	readonly width: number;
}

/** A one-line editor, drawn over the panes. */
export interface PromptView {
	readonly kind: "prompt";
	readonly title: Line;
	readonly body: readonly Line[];
	/** The part of the text that fits. */
	readonly text: string;
	/** Cell of the cursor inside `text`. */
	readonly cursor: number;
	readonly hint: Line;
	readonly width: number;
}

/** The help screen: sections of keys, made from the keymap. */
export interface HelpView {
	readonly kind: "help";
	readonly title: Line;
	/** The lines that fit, scrolled. */
	readonly rows: readonly RowView[];
	readonly position: string;
	readonly hint: Line;
	readonly width: number;
	readonly height: number;
}

export type OverlayView = MenuView | PromptView | HelpView;

/** The whole screen, `columns` × `rows` cells: header, query, panes, footer, and what lies over them. */
export interface ScreenView {
	readonly columns: number;
	readonly rows: number;
	/** Set when the terminal is smaller than the smallest layout: only this is drawn. */
	readonly tooSmall?: Line;
	/** First row. */
	readonly header: Line;
	/** Second row: the query that filters the focused pane. `cursor` is the cell of the terminal's cursor in this row. */
	readonly query: { readonly line: Line; readonly cursor: number };
	readonly panes: readonly PaneView[];
	/** Last row: a message, or the keys that work now. */
	readonly footer: Line;
	readonly overlay?: OverlayView | undefined;
}
