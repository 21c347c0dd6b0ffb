import type { SessionRow } from "../../../catalog/model/row.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import type { Line } from "../../../ui/text/line.ts";
import { blanks, type CleanText } from "../../../ui/text/sanitize.ts";
import type { Box, Size } from "../../../ui/view.ts";
import type { AnyQuery } from "../effects/define-query.ts";
import type { Key } from "../keys/key.ts";
import type { Action, WorldAction } from "../state/action.ts";
import type { PageKind } from "../state/overlays.ts";
import type { AppPane, State, Transition } from "../state/state.ts";
import type { RowList } from "./define-rows.ts";

/** A page, which replaces the panes while it is open. */
export interface Page extends RowList {
	readonly kind: PageKind;
	/** Its name in the header. */
	readonly name: string;
	/** The command that opens it, for a page that is a view: the header of each view names all of them, by what the command is called. */
	readonly command: string | undefined;
	/** Its panes without the preview, the focused one first. */
	readonly panes: (state: State) => readonly AppPane[];
	/** Handles a press on a row; undefined if that only moves the cursor there, and the same state if nothing is there. */
	readonly press: ((state: State, row: number, column: number) => State | undefined) | undefined;
	/** Keeps the cursor within its rows, and asks for what the open page shows, while it is open. */
	readonly reconcile: (state: State) => Transition;
	/** The queries of the page; once the page is closed, their reading ends, unless something else asks for the same. */
	readonly queries: readonly AnyQuery[];
	/** The session under its cursor, for pages beside which its tree is drawn. */
	readonly preview: ((state: State) => PagePreview) | undefined;
	/** Where that tree is; undefined if there is no room for it. */
	readonly previewBox: (state: State) => Box | undefined;
	readonly field: PageField | undefined;
	/** Goes to the next row, or the previous one, that is found; undefined where what is typed narrows the rows instead. */
	readonly find: ((state: State, by: 1 | -1) => State) | undefined;
	/** What it shows of the open session comes to, for the header, which then names the session; the longest form first. */
	readonly sums: ((state: State) => readonly Line[]) | undefined;
}

export interface PageField {
	/** Whether the caret is there from the start, else behind `/`. */
	readonly isOpen: boolean;
	readonly of: (state: State) => EditedText;
	readonly edit: (state: State, text: EditedText) => State;
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

type Handlers<A extends Action> = {
	readonly [Type in A["type"]]: (state: State, action: Extract<A, { type: Type }>) => State | Transition;
};

/**
 * The stages of `reconcile`, which makes the state consistent after each action; each may rely on those before it: what is searched
 * for; the rows of the list and its cursor, which determines the open session; the cursor in that session; its panes; further facts; the
 * pages; what is remembered.
 */
export const STAGES = ["search", "list", "session", "cursor", "panes", "facts", "pages", "memory"] as const;
export type Stage = (typeof STAGES)[number];

/** A step of reconciliation; `at`: the present time, Unix ms. */
export type ReconcileStep = (state: State, at: number) => State | Transition;

/** The steps of each stage, in their order; a query is the step that requests its value. */
type Steps = Readonly<Partial<Record<Stage, readonly (ReconcileStep | AnyQuery)[]>>>;

/** What the loop needs from a feature: handlers of all its own actions, and of any of the world, which run after the core's. */
export interface Feature<Own extends Action = never> {
	readonly on: Handlers<Own> & Partial<Handlers<WorldAction>>;
	/** The page that replaces the panes, and its keys, with their section of the help. */
	readonly page?: Page;
	readonly keys?: { readonly section: string; readonly keys: readonly Key[] };
	/** Its steps of reconciliation, and its queries except those of its page. */
	readonly steps?: Steps;
}

/** From this width on, the second part is beside the rows; from this many screen rows on, it is below them. */
const BESIDE_COLUMNS = 140;
const BELOW_ROWS = 20;
const LIST_SHARE = 0.55;
const LIST_ROWS_SHARE = 0.5;
/** From this many screen rows on, a few lines below the rows describe the one under the cursor. */
const DETAIL_FROM_ROWS = 16;
const DETAIL_ROWS = 5;

/** The boxes of a page: its rows, and a part about the one under the cursor; the title of each is in the row above. */
export interface PageLayout {
	readonly list: Box;
	readonly second: Box | undefined;
}

/** Rows with a tree or a longer text beside or below them. */
export function layoutWithPreview(size: Size): PageLayout {
	const list = wholePage(size);
	if (size.columns >= BESIDE_COLUMNS) {
		const width = Math.floor(size.columns * LIST_SHARE);
		return { list: { ...list, width }, second: { ...list, x: width + 1, width: size.columns - width - 1 } };
	}
	if (size.rows < BELOW_ROWS) return { list, second: undefined };
	const height = Math.floor(list.height * LIST_ROWS_SHARE);
	return { list: { ...list, height }, second: { ...list, y: list.y + height + 1, height: list.height - height - 1 } };
}

/** Rows with a few lines below them. */
export function layoutWithDetail(size: Size): PageLayout {
	const list = wholePage(size);
	if (size.rows < DETAIL_FROM_ROWS) return { list, second: undefined };
	const height = list.height - DETAIL_ROWS - 1;
	return { list: { ...list, height }, second: { ...list, y: list.y + height + 1, height: DETAIL_ROWS } };
}

/** The second part of a page: lines to read, as many as fit. */
export function textPane(box: Box, title: Line, lines: readonly Line[]): AppPane {
	const rows = lines.slice(0, box.height).map((line, index) => ({ key: String(index), line, selected: false }));
	return { id: "reader", ...box, title, settings: [], position: blanks(0), focused: false, rows };
}

/** Everything between the title and the footer, for a page of one part. */
export function wholePage({ columns, rows }: Size): Box {
	return { x: 0, y: 2, width: columns, height: Math.max(0, rows - 3) };
}
