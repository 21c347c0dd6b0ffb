import type { SessionRow } from "../../../catalog/model/row.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import type { Distance } from "../../../ui/page/distance.ts";
import type { PageCursor, PageRow } from "../../../ui/page/page-cursor.ts";
import type { PageMarks } from "../../../ui/page/page-marks.ts";
import type { CleanText } from "../../../ui/text/sanitize.ts";
import type { PageKind } from "../state/page-kind.ts";
import type { AppPane, State, Transition } from "../state/state.ts";

/** A page in the place of the panes. */
export interface Page {
	readonly kind: PageKind;
	/** What the header calls it. */
	readonly name: string;
	/** Its panes without the preview: the one with the focus first. */
	readonly panes: (state: State) => readonly AppPane[];
	readonly cursor: (state: State) => PageCursor;
	/** Moves its cursor. */
	readonly move: (state: State, distance: Distance) => State;
	/** What a press on a row does, where that is more than to put the cursor there: the same state where nothing is. */
	readonly press?: (state: State, row: number, column: number) => State;
	/** Keeps the cursor in its rows, and has read what the page shows; called for every page, whether open or not. */
	readonly reconcile: (state: State) => Transition;
	/** The session under its cursor, for pages beside which its tree is drawn. */
	readonly preview?: (state: State) => PagePreview;
	/** What is typed on it, where it has a field for that. */
	readonly field?: PageField;
	/** How its rows are marked, where they can be. */
	readonly marking?: Marking;
}

/** The text field of a page. */
interface PageField {
	readonly of: (state: State) => EditedText;
	readonly edit: (state: State, text: EditedText) => State;
	/** Why what is typed is not understood. */
	readonly mistake: (state: State) => string | undefined;
	/** Whether the rows are those for what is typed, so that a key may act on the one under the cursor. */
	readonly isAnswered: (state: State) => boolean;
}

/** The tree of a session, beside the rows of a page: only to look at. */
export interface PagePreview {
	/** Undefined where it is not known. */
	readonly row: SessionRow | undefined;
	/** What stands above it. */
	readonly title: CleanText;
	/** What stands in its place: why there is none. */
	readonly instead?: string | undefined;
}

/** How the rows of a page are marked. */
export interface Marking {
	readonly of: (state: State) => PageMarks;
	readonly withMarks: (state: State, marks: PageMarks) => State;
	/** What is marked with a row: of a heading, its group. Default: the row. */
	readonly marksOf?: (state: State, key: string) => readonly string[];
	/** What is marked with all. */
	readonly all: (state: State) => readonly string[];
	readonly rows: (state: State) => readonly PageRow[];
	/** What is marked, once and several times. */
	readonly what: readonly [one: string, many: string];
	/** Behind how many are marked. */
	readonly note?: (state: State) => string;
}
