import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Message } from "../../../changes/engine/answer.ts";
import type { Progress } from "../../../changes/engine/long-work.ts";
import type { Marks } from "../../../changes/noted/marks.ts";
import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Typing } from "../../../ui/field/typing.ts";
import type { PaneView, ScreenView, Size } from "../../../ui/view.ts";
import type { Binding } from "./binding.ts";
import type { BranchesState } from "./branches-state.ts";
import type { Effect } from "./effect.ts";
import type { GlanceState } from "./glance-state.ts";
import type { Host } from "./host.ts";
import type { ListState } from "./list-state.ts";
import type { MouseState } from "./mouse.ts";
import type { Overlay } from "./overlays.ts";
import type { Places } from "./places.ts";
import type { ReaderState } from "./reader-state.ts";
import type { SavedState } from "./saved-state.ts";
import type { Split } from "./split.ts";
import type { TreeState } from "./tree-state.ts";

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
	/** Where the sessions in the trash were, as far as that is known: forks of these say so in the list. */
	readonly trashed: ReadonlySet<string>;
	readonly detail: Detail;
	readonly tree: TreeState;
	readonly reader: ReaderState;
	readonly branches: BranchesState;
	/** What is known for the opened session at a glance, besides the session itself. */
	readonly glance: GlanceState;
	/** What belongs to one feature each: pages, and what is remembered. */
	readonly slices: Slices;
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

/** Facts about the run that do not change while it lasts, but for `host`. */
export interface Environment {
	/** The person's home directory, for "~". */
	readonly home: string;
	/** Where the program was started: the "here" scope, and where forks go. */
	readonly cwd: string;
	/** Root of the repository that `cwd` is in, if any: the "repo" scope. */
	readonly repo?: string | undefined;
	/** Path of the session whose tree is opened at the start. */
	readonly open?: string | undefined;
	/** The pi that started the browser, which does what is chosen; undefined without one. */
	readonly host?: Host | undefined;
	/** Whether a session, or an entry of it, is chosen for a shell in place of starting pi. */
	readonly picks?: true | undefined;
	/** What is typed in the list at the start. */
	readonly query?: string | undefined;
	/** The project whose sessions alone are listed at the start. */
	readonly project?: string | undefined;
	/** Only sessions with a name are listed at the start. */
	readonly namedOnly?: boolean | undefined;
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

/** The panes that keys may go to; the branches are in the place of the tree. */
export type Focus = "list" | "tree" | "reader" | "branches";

/** A pane on the screen. Of a page in the place of the panes: the pane that its part is most like. */
export type AppPane = PaneView<Focus>;
export type AppScreen = ScreenView<Focus>;

/** The session that the tree pane shows. `row` is the catalog's row at the time it was requested. */
export type Detail =
	| { readonly status: "none" }
	/** `session` is the same file as it was read before, shown until it has been read again. */
	| { readonly status: "loading"; readonly row: SessionRow; readonly session?: Session | undefined }
	| { readonly status: "ready"; readonly row: SessionRow; readonly session: Session }
	| { readonly status: "failed"; readonly row: SessionRow; readonly message: string };

/** The parts of the state that belong to one feature each; only with its `Slice` can one be read or changed. */
type Slices = Readonly<Record<symbol, unknown>>;

/** What an action leads to: the next state, and the effects to run. */
export type Transition = readonly [state: State, effects: readonly Effect[]];

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
