import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { Marks } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Message } from "../../../changes/answer.ts";
import type { Progress } from "../../../changes/engine/long-work.ts";
import type { TreeFilter } from "../../../conversation/tree/shown-entries.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Typing } from "../../../ui/field/typing.ts";
import type { Selection } from "../../../ui/selection.ts";
import { formatCount } from "../../../ui/text/format.ts";
import type { Tone } from "../../../ui/text/line.ts";
import type { Cell, PaneView, ScreenView, Size } from "../../../ui/view.ts";
import type { Binding, Context } from "./binding.ts";
import type { CatalogState, GitFacts, Host } from "./catalog-state.ts";
import type { HostPage } from "./choice.ts";
import type { Effect } from "./effect.ts";
import type { ListState, SavedState } from "./list-state.ts";
import type { BranchesState, OpenedView, ReaderState, TreeState } from "./opened-state.ts";
import type { Overlay, PageKind } from "./overlays.ts";

/** Everything that the screen is made from. Only `update` makes a new one; it is never changed in place. */
export interface State {
	readonly environment: Environment;
	readonly size: Size;
	/** Present time, Unix ms, for ages; each "tick" updates it. */
	readonly now: number;
	/** The pane that keys go to when no overlay is open. */
	readonly focus: Focus;
	/** Whether the focused pane has the whole screen. */
	readonly zoom: boolean;
	readonly beforeZoom: Focus;
	readonly split: Split;
	readonly catalog: CatalogState;
	readonly marks: Marks;
	/** What could not be read of their file, in sentences. */
	readonly markProblems: readonly string[];
	readonly list: ListState;

	readonly git: GitFacts;
	/** Original paths of the sessions in the trash, as far as known: the list marks forks of these. */
	readonly trashed: ReadonlySet<string>;
	readonly detail: Detail;
	readonly tree: TreeState;
	readonly reader: ReaderState;
	readonly branches: BranchesState;
	readonly slices: Slices;
	readonly mouse: MouseState;

	readonly saved: SavedState;
	/** The document whose filter has the caret. */
	readonly filtering: Context | undefined;
	/** What carries over from key to key while typing. */
	readonly typing: Typing;
	/** Menus, prompts and help, the topmost last. */
	readonly overlays: readonly Overlay[];
	/** The result of the last action, or why it failed; shown until the next key. */
	readonly message: Message | undefined;
	/** Navigation history: previous pages and sessions, the latest last. */
	readonly waysBack: readonly WayBack[];
	/** Whether the session was opened from outside, and the list has not had the focus since: escape leads out again. */
	readonly isDirect: boolean;
	/** Where the cursor of the tree goes once the session at a path is open, unless the person leaves before. */
	readonly arrival: { readonly path: string; readonly place: (state: State) => State } | undefined;
	readonly progress: Progress | undefined;
	/** Paths of the visible sessions, as last reported to the catalog. */
	readonly visiblePaths: readonly string[];
	/** Number of these reports. */
	readonly watched: number;
	/** Number of the last request to read a session; an answer to an earlier one is dropped. */
	readonly request: number;
	/** Keys and text typed while the screen did not yet show what the first of these keys acts on. */
	readonly waiting: readonly Input[];
	/** Whether pi is about to get the terminal: text typed now is meant for pi. */
	readonly handingOver: boolean;
	/** Number of changes of sessions that are being made, or are not on the screen yet. */
	readonly changing: number;
	/** The request that reads the session again after the last change. */
	readonly readAfterChange: number | undefined;
}

export type WayBack = PageWay | SessionWay;

/** A page from which a session or the list was opened. */
export interface PageWay {
	/** The page, after those below it. */
	readonly pages: readonly PageKind[];
	/** The focus below them, and the state of the list. */
	readonly focus: Focus;
	readonly list: Pick<ListState, "query" | "chosenOrder" | "terms" | "scope" | "project" | "scopeBefore" | "stage">;
	/** The session that was open below them; undefined if the list had the focus, whose cursor stays where the page led. */
	readonly selected: string | undefined;
	/** The query of the list that the page opened. */
	readonly text: string;
}

/** A session from which one of its runs was opened, or a run from which its parent was opened. */
export interface SessionWay extends Pick<State, "focus" | "zoom" | "beforeZoom"> {
	readonly from: string;
	/** Path of the session that was opened from it. */
	readonly to: string;
	/** The page on which that was chosen, after those below it; none if it was chosen in a pane. */
	readonly pages: readonly PageKind[];
	readonly list: PageWay["list"] & Pick<ListState, "unfolded" | "index" | "top">;
	readonly view: OpenedView;
}

/** One key by its name, pasted text, or a command that was chosen by its name; `at`: when, Unix ms. */
export type Input =
	| { readonly type: "command"; readonly id: string; readonly at: number }
	| { readonly type: "key"; readonly key: string; readonly at: number }
	| { readonly type: "text"; readonly text: string; readonly at: number };

/** Facts about this run, none of which change except `host`. */
export interface Environment {
	/** The person's home directory, for "~". */
	readonly home: string;
	/** Where the program was started: the "here" scope, and where forks go. */
	readonly cwd: string;
	/** Where files are saved that the person asks for. @default `cwd` */
	readonly savesTo?: string;
	/** Root of the repository of `cwd`, if any: the "repo" scope. */
	readonly repo?: string | undefined;
	/** Path of the session whose tree is open at the start. */
	readonly open?: string | undefined;
	/** Id of the entry of that session at which the cursor is then. @default where it was left */
	readonly openAt?: string | undefined;
	/** What pi wants to be shown of it. @default its tree */
	readonly opens?: HostPage | undefined;
	/** The pi that started the browser, if any; it carries out the choice. */
	readonly host?: Host | undefined;
	/** Whether a session or an entry is chosen for a shell, instead of starting pi. */
	readonly picks?: true | undefined;
	/** The query of the list at the start. */
	readonly query?: string | undefined;
	/** The only project listed at the start. */
	readonly project?: string | undefined;
	/** Whether only sessions with a name are listed at the start. */
	readonly namedOnly?: boolean | undefined;
	/** Whether the screen is shown as plain rows of words, for a screen reader or a terminal that cannot draw. */
	readonly plain?: boolean | undefined;
	/** As in `QuestionContext`. */
	readonly isTrashClosed?: boolean | undefined;
	/** Whether this terminal is a pane of tmux. */
	readonly tmux?: boolean | undefined;
	readonly demo: boolean;
	/** Whether the tour through the demo begins by itself. */
	readonly tour?: boolean;
	/** The directory that contains all sessions. */
	readonly root?: string | undefined;
	/** The person's own directory of sessions, for display, if the demo is shown because it is empty. */
	readonly empty?: string | undefined;
	/** The keymap with the person's own keys. */
	readonly keymap: readonly Binding[];
	/** The filter that trees begin with; default: pi's "default". */
	readonly treeFilter?: TreeFilter | undefined;
	/** What is said at the start. */
	readonly notice?: readonly string[] | undefined;
	/** Problems found before the start, such as unreadable settings. */
	readonly problems: readonly CatalogProblem[];
}

/** The panes that keys may go to; the branches take the place of the tree. */
export type Focus = "list" | "tree" | "reader" | "branches";

/** The movable dividers: right of the list, below it, between the tree and the text, and below the tree. */
export type DividerName = "list-columns" | "list-rows" | "columns" | "rows";

/** The share of the screen before each divider, from 0 to 1. */
export type Split = Readonly<Record<DividerName, number>>;

export const FIRST_SPLIT: Split = { "list-columns": 0.545, "list-rows": 0.67, columns: 0.475, rows: 0.5 };

/** A pane on the screen. Pages draw their parts as the panes that they resemble. */
export type AppPane = PaneView<Focus>;
export type AppScreen = ScreenView<Focus>;

/**
 * The session that the tree pane shows. `row`: the catalog's row at the time it was requested; `session`: as last read, even while it is
 * being read again.
 */
type Detail =
	| { readonly status: "none"; readonly row?: undefined; readonly session?: undefined }
	| { readonly status: "loading"; readonly row: SessionRow; readonly session?: Session | undefined }
	| { readonly status: "ready"; readonly row: SessionRow; readonly session: Session }
	| { readonly status: "failed"; readonly row: SessionRow; readonly message: string; readonly session?: undefined };

/** The parts of the state that belong to single features; each is read and changed through its `Slice` only. */
type Slices = Readonly<Record<symbol, unknown>>;

/** What an action leads to: the next state, and the effects to run. */
export type Transition = readonly [state: State, effects: readonly Effect[]];

interface MouseState {
	readonly dragged: DividerName | undefined;
	/** Where and when (Unix ms) the button was last pressed, to detect a double click, and whether that was in a menu or beside one. */
	readonly pressed:
		| (Cell & { readonly atMs: number; readonly inOverlay: boolean; readonly isHeld?: boolean })
		| undefined;
	/** What is dragged over, or was until the next key or click. */
	readonly selection: (Selection & { readonly pane: string }) | undefined;
	/** When a menu has last appeared, or changed, without a key; Unix ms. */
	readonly appearedMs: number;
}

export function transition(state: State, ...effects: readonly Effect[]): Transition {
	return [state, effects];
}

export function asTransition(next: State | Transition): Transition {
	return isTransition(next) ? next : transition(next);
}

function isTransition(next: State | Transition): next is Transition {
	return Array.isArray(next);
}

/** A further step, with the effects of both. */
export function chain([state, effects]: Transition, next: (state: State) => Transition): Transition {
	const [nextState, more] = next(state);
	return [nextState, more.length === 0 ? effects : [...effects, ...more]];
}

/** Shows a message in the last row of the screen. */
export function say(state: State, text: string, tone: Tone = "text"): State {
	const message: Message = { text, tone };
	return { ...state, message };
}

const MOST_LINES = 8;

/** The text of a message with a line for each problem; of many only the first, and how many more there are. */
export function problemLines(problems: readonly string[]): string {
	const more = problems.length - MOST_LINES;
	const rest = more > 0 ? [`${formatCount(more)} more: ctrl+k “Problems” lists them`] : [];
	return [...problems.slice(0, MOST_LINES), ...rest].join("\n");
}

/**
 * A feature's own part of the state; that of a page stays while the page is closed. Only code with this value can read
 * and change it; no feature imports another's.
 */
export interface Slice<Part> {
	readonly of: (state: State) => Part;
	readonly with: (state: State, fields: Partial<Part>) => State;
}

/** A part of the state with the initial value `first`. */
export function defineSlice<Part extends object>(name: string, first: Part): Slice<Part> {
	const key = Symbol(name);
	// Nothing else has this symbol, so the value under it was stored by `with`.
	const of = ({ slices }: State): Part => (slices[key] as Part | undefined) ?? first;
	return {
		of,
		with: (state, fields) => ({ ...state, slices: { ...state.slices, [key]: { ...of(state), ...fields } } }),
	};
}
