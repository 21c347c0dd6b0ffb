import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { LiveReport } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Proposal } from "../../catalog/query/propose.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { BranchesState } from "../branches/branches-state.ts";
import type { GlanceState } from "../glance/glance-state.ts";
import type { Order } from "../list/list-order.ts";
import type { Places } from "../list/places.ts";
import type { ProjectsOverlay } from "../list/projects.ts";
import type { Scope } from "../list/scope.ts";
import type { Stage } from "../list/stage.ts";
import type { Marks } from "../marks/marks.ts";
import type { TagSubmit } from "../marks/tag-lines.ts";
import type { Move } from "../moved/plan-moves.ts";
import type { SavedState } from "../saved/saved-state.ts";
import type { EditedText } from "../text/edit.ts";
import type { Typing } from "../text/typing.ts";
import type { Drawing, TreeInput } from "../tree/draw-tree.ts";
import type { Binding } from "./binding.ts";
import type { DoctorState } from "./doctor-state.ts";
import type { Effect, NamedSession } from "./effect.ts";
import type { HistoryState } from "./history-state.ts";
import type { Split } from "./layout.ts";
import type { ListSettings, RememberedList } from "./list-settings.ts";
import type { MouseState } from "./mouse.ts";
import type { MovedState, PlaceSubmit } from "./moved-state.ts";
import type { PageOverlay } from "./page.ts";
import type { Progress } from "./progress.ts";
import type { ReaderState } from "./reader-state.ts";
import type { SessionView } from "./session-view.ts";
import type { StatsState } from "./stats-state.ts";
import type { TidyState } from "./tidy-state.ts";
import type { TrashState } from "./trash-state.ts";
import type { Line, Tone } from "./view.ts";

/** Everything that the screen is made from. Only `update` makes a new one; nothing in it is ever changed in place. */
export interface State {
	readonly environment: Environment;
	readonly size: Size;
	/** Present time, Unix ms, for ages; each "tick" updates it. */
	readonly now: number;
	/** The pane that keys go to when no overlay is open. */
	readonly focus: Focus;
	/** The pane with the focus has the whole screen. */
	readonly zoom: boolean;
	/** The pane that had the focus before. */
	readonly beforeZoom: Focus;
	/** Where the dividers between the panes are. */
	readonly split: Split;
	readonly catalog: CatalogState;
	/** Pins and tags. */
	readonly marks: Marks;
	/** What of them could not be read, in sentences. */
	readonly markProblems: readonly string[];
	readonly list: ListState;
	/** What is known of the directories of sessions. */
	readonly places: Places;
	readonly detail: Detail;
	readonly tree: TreeState;
	readonly reader: ReaderState;
	readonly branches: BranchesState;
	/** What the page of all changes shows. */
	readonly history: HistoryState;
	/** What the page of the trash shows. */
	readonly trash: TrashState;
	/** What the page of the doctor shows. */
	readonly doctor: DoctorState;
	/** What the page of what may be deleted shows. */
	readonly tidy: TidyState;
	/** What the page of moved projects shows. */
	readonly moved: MovedState;
	/** What is known for the opened session at a glance, besides the session itself. */
	readonly glance: GlanceState;
	/** What the page of the statistics shows. */
	readonly stats: StatsState;
	/** What is remembered from one run to the next. */
	readonly memory: MemoryState;
	readonly mouse: MouseState;
	/** Queries with names. */
	readonly saved: SavedState;
	/** What the hands remember from key to key while they type. */
	readonly typing: Typing;
	/** Menus, prompts and help, the topmost last. */
	readonly overlays: readonly Overlay[];
	/** What the last action did, or why it failed; shown until the next key. */
	readonly message: Message | undefined;
	/** The work on many sessions that is under way. */
	readonly progress: Progress | undefined;
	/** Paths of the sessions in sight, as last reported to the catalog. */
	readonly visiblePaths: readonly string[];
	/** How often they have been reported. */
	readonly watched: number;
	/** Number of the last request to read a session; an answer to an earlier one is dropped. */
	readonly request: number;
	/** The entries of the large session of which every line is being looked at, or was. */
	readonly checking: readonly SessionEntry[] | undefined;
	/** What was typed while the screen did not yet show what the first of these keys acts on. */
	readonly waiting: readonly Input[];
	/** pi is about to get the terminal: what is typed was not meant for us. */
	readonly handingOver: boolean;
	/** How many changes of sessions are being made, or are not on the screen yet. */
	readonly changing: number;
	/** The request that reads the session anew after the last change. */
	readonly readAfterChange: number | undefined;
}

/** One key by its name, or pasted text; `at`: when it was typed, Unix ms. */
export type Input =
	| { readonly type: "key"; readonly key: string; readonly at: number }
	| { readonly type: "text"; readonly text: string; readonly at: number };

/** Facts about the run that do not change while it lasts. */
export interface Environment {
	/** The person's home directory, for "~". */
	readonly home: string;
	/** Where the program was started: the "here" scope, and where forks go. */
	readonly cwd: string;
	/** Root of the repository that `cwd` is in, if any: the "repo" scope. */
	readonly repo?: string | undefined;
	/** Path of the session whose tree is opened at the start. */
	readonly open?: string | undefined;
	/** This terminal is a pane of tmux. */
	readonly tmux?: boolean | undefined;
	/** The built-in demo collection is shown. */
	readonly demo: boolean;
	/** The directory that contains all sessions. */
	readonly root?: string | undefined;
	/** The person's own directory of sessions, as it is shown, when the demo is there because it has none. */
	readonly empty?: string | undefined;
	/** What each key does: the keymap with the person's own keys. */
	readonly keymap: readonly Binding[];
	/** The filter that trees begin with; default: pi's "default". */
	readonly treeFilter?: TreeFilter | undefined;
	/** What went wrong before the start, such as settings that cannot be read. */
	readonly problems: readonly CatalogProblem[];
}

export interface Size {
	readonly columns: number;
	readonly rows: number;
}

/** The panes that keys may go to; the branches are in the place of the tree. */
export type Focus = "list" | "tree" | "reader" | "branches";

interface CatalogState {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** What was counted of them, by path, as far as it is known yet. */
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** Number of sessions in the index at the start; shown as the total until all their rows are here. */
	readonly known: number;
	readonly read: number;
	readonly total: number;
	/** True once everything found at the start has been read. */
	readonly complete: boolean;
	/** How many of the `countable` sessions have been counted: tokens, cost, sizes, damage. */
	readonly counted: number;
	readonly countable: number;
	readonly problems: readonly CatalogProblem[];
	/** What is in use. */
	readonly live: LiveReport;
}

/** The search in everything that was said, started by the list's filter. */
export interface SearchState {
	/** Number of the last search; events of earlier ones are dropped. */
	readonly request: number;
	/** The query of that search: what is typed, or was typed last that was a query. */
	readonly requested: Query;
	/**
	 * The query whose results the list shows. It becomes `requested` with the first event of that search, so that the list
	 * does not flicker with every character.
	 */
	readonly query: Query;
	/** Sessions in which the query was found, by path. */
	readonly results: ReadonlyMap<string, SearchResult>;
	/** How many of `total` sessions have been searched for `query`. */
	readonly searched: number;
	readonly total: number;
	/** The last report of the sessions in sight with which nothing more came; undefined while something may come. */
	readonly settled: number | undefined;
	/** What is typed and is no query, or not yet, with the reason; until it is one, the results of the last one stay. */
	readonly mistake?: { readonly text: string; readonly message: string } | undefined;
	/** Why the search failed or did not finish. */
	readonly error?: string | undefined;
	/** For a query that nothing matches: queries that may have been meant, the likeliest first; undefined until known. */
	readonly nearest?: { readonly query: Query; readonly proposals: readonly Proposal[] | undefined } | undefined;
}

/** The hits of a search in the opened session. */
interface HitsState {
	readonly path: string;
	readonly query: Query;
	/** The entry that the tree was moved to. */
	readonly shown: string | undefined;
	/** Ids of the entries with hits, in file order. */
	readonly ids: readonly string[];
	/** Whether these are all; before that, only the best. */
	readonly complete: boolean;
}

/** A row under the cursor, and the query whose results it is among. */
interface SeenRow {
	readonly path: string | undefined;
	readonly query: Query;
	/** Unix ms; 0 when a key has moved the cursor there. */
	readonly since: number;
}

export interface ListState {
	readonly query: EditedText;
	readonly search: SearchState;
	/** What of it is remembered from one run to the next. */
	readonly settings: ListSettings;
	/** The order of the results of a search. */
	readonly foundOrder: Order;
	readonly scope: Scope;
	/** Directory of the project of the scope "project". */
	readonly project: string;
	/** The scope before that. */
	readonly scopeBefore: Exclude<Scope, "project">;
	readonly namedOnly: boolean;
	readonly showPath: boolean;
	/** Paths of the sessions that are marked, to do something with all of them; all of them are listed. */
	readonly marked: ReadonlySet<string>;
	/** The one that was marked last, from which a range begins. */
	readonly lastMarked: string | undefined;
	/** Set while only what is marked is shown. */
	readonly stage: Stage | undefined;
	/** Path of the session under the cursor, or what a folded project is known by. */
	readonly selected: string | undefined;
	/** Index of the cursor in the list, to find the neighbor when its session disappears. */
	readonly index: number;
	/** First visible row, from 0. */
	readonly top: number;
	/** Rows of the screen above the cursor, where it is to stay when the query has just been cleared. */
	readonly keptRow?: number | undefined;
	/**
	 * Whether the cursor follows its session: since a key has moved it, or since everything has been listed and searched.
	 * Before that it stays on the first row.
	 */
	readonly cursorSet: boolean;
	/** What the cursor is on, and since when (Unix ms) that has been in sight. */
	readonly seen: SeenRow;
	/** Path of a session that was just created or changed: the cursor goes to it as soon as it is listed. */
	readonly pendingSelection: string | undefined;
	/** Whether its tree is opened then. */
	readonly opensPending: boolean;
}

/** The session that the tree pane shows. `row` is the catalog's row at the time it was requested. */
export type Detail =
	| { readonly status: "none" }
	/** `session` is the same file as it was read before, shown until it has been read again. */
	| { readonly status: "loading"; readonly row: SessionRow; readonly session?: Session | undefined }
	| { readonly status: "ready"; readonly row: SessionRow; readonly session: Session }
	| { readonly status: "failed"; readonly row: SessionRow; readonly message: string };

/** pi's five tree filters, in the order in which ctrl+o goes through them, and one that folds each turn. */
export const TREE_FILTERS = ["default", "no-tools", "user-only", "labeled-only", "all", "turns"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];

/** What stands at the right end of a row: what came of it, the time too, or labels alone. */
export const ROW_DETAILS = ["outcome", "times", "none"] as const;
export type RowDetails = (typeof ROW_DETAILS)[number];

/** The drawing of a large session's tree, which takes too long for the screen to wait for. */
export interface TreeDrawing {
	/** The last input that was requested. */
	readonly input: TreeInput;
	/** What is drawn: of `input`, or of an earlier input while that one is being drawn. */
	readonly drawn: Drawing | undefined;
}

export interface TreeState {
	readonly query: EditedText;
	/** The same, parsed; while it is no query, or not yet, the last one that was. */
	readonly parsed: Query;
	/** Why the typed text is no query. */
	readonly mistake?: string | undefined;
	/** Undefined where the session is not large. */
	readonly drawing: TreeDrawing | undefined;
	readonly filter: TreeFilter;
	readonly labelTimes: boolean;
	readonly details: RowDetails;
	/** Id of the entry under the cursor; undefined: the leaf. */
	readonly selected: string | undefined;
	/** First visible row, from 0. */
	readonly top: number;
	/** Id of an entry with a hit, shown even if the filter hides it. */
	readonly pinned: string | undefined;
	readonly hits: HitsState | undefined;
	/** Ids of the first entries of the branches that are open; `ALL_BRANCHES` for all. */
	readonly opened: ReadonlySet<string>;
	/** Ids of the first entries of branches that the person folded while others are open. */
	readonly folded: ReadonlySet<string>;
	/** Ids of the entries under the cursor in the sessions shown before, by path. */
	readonly savedCursors: ReadonlyMap<string, string | undefined>;
}

interface MemoryState {
	/** How sessions were left, by `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
	/** Where the dividers were when that was last noted. */
	readonly split: Split;
	/** The same of how the person wants the list. */
	readonly list: RememberedList;
	/** The filter that the person chose last, for sessions of which nothing is remembered. */
	readonly filter: TreeFilter;
	/** The session that is open, as it was when that was last looked at. */
	readonly noted: { readonly key: string; readonly view: SessionView } | undefined;
}

/** What choosing an item does: it changes the state, or runs an effect, or with neither just closes the menu. */
export interface MenuItem {
	readonly label: string;
	readonly change?: (state: State) => State;
	readonly effect?: Effect;
}

export interface MenuOverlay {
	readonly kind: "menu";
	readonly title: string;
	readonly body: readonly Line[];
	readonly items: readonly MenuItem[];
	readonly index: number;
	/** Whether it is drawn as a warning. */
	readonly danger: boolean;
	/** Set for a question about something that may change while it is open. */
	readonly question?: OpenQuestion;
}

/** What a question is about, so that it never shows what is no longer so. */
interface OpenQuestion {
	/** All that it shows of the world, as text to compare. */
	readonly facts: string;
	/** The question as it would be asked now. */
	readonly ask: (state: State) => MenuOverlay;
}

export interface PromptOverlay {
	readonly kind: "prompt";
	readonly title: string;
	readonly body: readonly Line[];
	readonly value: EditedText;
	/** What Enter does with the text. */
	readonly submit: PromptSubmit;
}

type PromptSubmit =
	| { readonly type: "rename"; readonly path: string }
	/** Name what is typed, or give a saved query another name. */
	| { readonly type: "save-query"; readonly text: string }
	| { readonly type: "rename-query"; readonly name: string }
	| { readonly type: "label"; readonly path: string; readonly entryId: string }
	/** Labels the end of each of these sessions. */
	| { readonly type: "label-ends"; readonly rows: readonly SessionRow[] }
	/** Writes repaired copies of these sessions into the directory that is typed. */
	| { readonly type: "repair"; readonly sessions: readonly NamedSession[] }
	| TagSubmit
	| PlaceSubmit;

/** A page of all commands, with a field to find one. */
export interface PaletteOverlay {
	readonly kind: "palette";
	readonly query: EditedText;
	/** The highlighted one of the commands that are shown; -1: none. */
	readonly index: number;
	/** First visible row of the page, from 0. */
	readonly top: number;
}

/** A page of text over the panes: what is damaged or could not be read, or what can be searched for. */
export interface HelpOverlay {
	readonly kind: "help";
	readonly page: "problems" | "query" | "moves";
	/** First visible row, from 0. */
	readonly top: number;
	/** For "moves": what would be forked to where. */
	readonly moves?: readonly Move[];
}

export type Overlay = MenuOverlay | PromptOverlay | HelpOverlay | PaletteOverlay | ProjectsOverlay | PageOverlay;

export interface Message {
	readonly text: string;
	readonly tone: Tone;
}
