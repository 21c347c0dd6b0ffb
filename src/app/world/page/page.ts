import type { SessionRow } from "../../../catalog/model/row.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import type { Distance } from "../../../ui/page/distance.ts";
import type { PageCursor, PageRow } from "../../../ui/page/page-cursor.ts";
import type { PageMarks } from "../../../ui/page/page-marks.ts";
import type { CleanText } from "../../../ui/text/sanitize.ts";
import type { PageKind } from "../state/page-kind.ts";
import type { AppPane, State, Transition } from "../state/state.ts";

/** A page, which replaces the panes while it is open. */
export interface Page {
	readonly kind: PageKind;
	/** Its name in the header. */
	readonly name: string;
	/** The command that opens it, for a page that is a view: the header of each view names all of them, by what the command is called. */
	readonly command?: string;
	/** Its panes without the preview, the focused one first. */
	readonly panes: (state: State) => readonly AppPane[];
	readonly cursor: (state: State) => PageCursor;

	readonly move: (state: State, distance: Distance) => State;
	/** Handles a press on a row, if that does more than move the cursor there; returns the same state if nothing is there. */
	readonly press?: (state: State, row: number, column: number) => State;
	/** Keeps the cursor within its rows, and requests what the page shows; called for every page, open or not. */
	readonly reconcile: (state: State) => Transition;
	/** The session under its cursor, for pages beside which its tree is drawn. */
	readonly preview?: (state: State) => PagePreview;
	/** Its text field, if it has one. */
	readonly field?: PageField;
	/** How its rows are marked, if they can be. */
	readonly marking?: Marking;
}

/** The text field of a page. */
interface PageField {
	readonly of: (state: State) => EditedText;
	readonly edit: (state: State, text: EditedText) => State;
	/** Why the typed text is not valid. */
	readonly mistake: (state: State) => string | undefined;
	/** Whether the rows match the typed text, so that a key may act on the one under the cursor. */
	readonly isAnswered: (state: State) => boolean;
}

/** The tree of a session beside the rows of a page, read-only. */
export interface PagePreview {
	/** Undefined if the session is unknown. */
	readonly row: SessionRow | undefined;

	readonly title: CleanText;
	/** A sentence in place of the tree, saying why there is none. */
	readonly instead?: string | undefined;
}

/** How the rows of a page are marked. */
export interface Marking {
	readonly of: (state: State) => PageMarks;
	readonly withMarks: (state: State, marks: PageMarks) => State;
	/** The keys that are marked with a row: those of its group for a heading. @default the row */
	readonly marksOf?: (state: State, key: string) => readonly string[];
	/** The keys of all rows that can be marked. */
	readonly all: (state: State) => readonly string[];
	readonly rows: (state: State) => readonly PageRow[];
	/** Singular and plural of what is marked. */
	readonly what: readonly [one: string, many: string];
	/** Text after the number of marked rows. */
	readonly note?: (state: State) => string;
}
