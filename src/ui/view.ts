import type { CleanText } from "./text/sanitize.ts";

/**
 * What the screen shows, as plain data: the selectors make it from the state, the components draw it.
 * All text in here is clean, which its type ensures, and cut to its width in terminal cells; a component never measures or
 * cuts.
 */

/** What a piece of text is, so that the theme alone chooses colors: its role, not its look. */
export type Tone =
	/** Answers, arguments, whatever is content. */
	| "text"
	/** Outcome, time, path: less important than text, and as easy to read. */
	| "muted"
	/** Frames, connectors, rules: not content. */
	| "frame"
	/** What has the focus. */
	| "accent"
	/** What the person said. */
	| "prompt"
	/** The verb of a step: "edit", "$". */
	| "verb"
	| "label"
	/** Summaries, compactions, changes of the model. */
	| "summary"
	/** The active path and its leaf. */
	| "current"
	/** What a search or filter found. */
	| "match"
	| "warning"
	| "error"
	/** A key in a hint. */
	| "key"
	/** Lines that a diff adds and removes, and their counts. */
	| "added"
	| "removed"
	/** In Markdown. */
	| "heading"
	| "link"
	| "code"
	/** In highlighted code. */
	| "keyword"
	| "string"
	| "comment"
	| "number"
	| "name"
	| "type";

/** What a piece of text stands on; without one, the terminal's own background. */
export type Ground =
	/** The first row of the screen. */
	| "bar"
	/** A prompt's band. */
	| "prompt"
	/** A block of code, a command. */
	| "code"
	| "added"
	| "removed"
	/** The row under the cursor, in the pane with the focus and in another. */
	| "cursor"
	| "cursor-beside"
	| "match";

/** A color that a program chose for its output: of the 256 by its number, or red, green and blue from 0 to 255. */
export type ShellColor = number | readonly [red: number, green: number, blue: number];

export interface Span {
	readonly text: CleanText;
	/** Default: "text". */
	readonly tone?: Tone;
	/** Default: that of the row, else none. */
	readonly ground?: Ground;
	readonly bold?: boolean;
	readonly italic?: boolean;
	readonly underline?: boolean;
	readonly strike?: boolean;
	readonly inverse?: boolean;
	/** Instead of the tone's color: only for what a program printed. */
	readonly color?: ShellColor;
	/** The same for the ground. */
	readonly background?: ShellColor;
	/** The command that a click on it runs: the id of a binding of the pane that it is in. */
	readonly press?: string;
	/** Where it leads: http, https or file, of printable ASCII alone (`safeLink`), for terminals that have links (OSC 8). */
	readonly link?: string;
}

/** One terminal row of text, at most as wide as the box that it is drawn in. */
export type Line = readonly Span[];

/** One row of a pane. */
export interface RowView {
	/** Identity of the thing shown: session path, entry id, line number. */
	readonly key: string;
	readonly line: Line;
	/** The row under the cursor; drawn over the pane's whole inner width. */
	readonly selected: boolean;
	/** What the whole row stands on, to the edges of its pane. Default: nothing. */
	readonly ground?: Ground;
}

/** Of the terminal, in cells. */
export interface Size {
	readonly columns: number;
	readonly rows: number;
}

/** A box on the screen: zero-based cell of its top left corner, and its size in cells. */
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

/** A box of rows; what stands in the rules above and below it. */
export interface PaneView<Id extends string = string> extends Box {
	/** Which of the program's panes it is. */
	readonly id: Id;
	/** What it shows, and the filter that is typed; at most `titleRoom` cells. */
	readonly title: Line;
	/** How it is filtered and ordered, at the right of the title: the forms, the longest first, of which one is drawn. */
	readonly settings: readonly Line[];
	/** Where its cursor is, as "12/1,204"; "" for nothing. */
	readonly position: CleanText;
	/** The cell of the title in which the next character is typed. */
	readonly cursor?: number | undefined;
	readonly focused: boolean;
	/** At most `height` rows, from the top. */
	readonly rows: readonly RowView[];
}

/** A row of lines that divide the screen, with the titles or positions in it. */
export interface RuleView {
	readonly x: number;
	readonly y: number;
	readonly line: Line;
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
	/** Those in sight. */
	readonly items: readonly CleanText[];
	/** The number of the first of these among all. */
	readonly first: number;
	/** Index of the highlighted one. */
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
	/** Cell of the terminal's cursor, where something can be typed. */
	readonly cursor?: Cell;
}

export type OverlayView = MenuView | PromptView | HelpView;

/** The whole screen, `columns` × `rows` cells: header, panes and the rules around them, footer, and an overlay. */
export interface ScreenView<Id extends string = string> {
	readonly columns: number;
	readonly rows: number;
	/** Set when the terminal is smaller than the smallest layout: only these rows are drawn, from the first one. */
	readonly tooSmall?: readonly Line[];
	/** First row. */
	readonly header: Line;
	readonly panes: readonly PaneView<Id>[];
	/** The rows above and below the panes. */
	readonly rules: readonly RuleView[];
	/** The columns between panes, one cell wide. */
	readonly dividers: readonly Box[];
	/** Last row: the keys that work now. */
	readonly footer: Line;
	/** Rows of a message, as many as it takes: the last one in the last row, over everything else. */
	readonly message?: readonly Line[] | undefined;
	readonly overlay?: OverlayView | undefined;
	/** Cell of the terminal's own cursor; hidden without one. */
	readonly cursor: Cell | undefined;
}
