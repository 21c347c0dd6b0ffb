import { damagedRows } from "../list/damaged-rows.ts";
import { selectedResult } from "../list/select-list.ts";
import type { Focus, State } from "../model/state.ts";

/** Where a binding works: a pane, or an overlay that takes all keys. */
export type Context = Focus | "menu" | "prompt" | "help";

/** One thing that a person can do, with its keys. Dispatch, footer, help and docs/keys.md are views of this table. */
export interface Binding {
	readonly command: string;
	/** Key names as in pi's keybindings.json; the first is the one shown. */
	readonly keys: readonly string[];
	readonly contexts: readonly Context[];
	/** Two or three words for the footer; without it the binding is only in the help. */
	readonly short?: string;
	/** One phrase for the help screen. */
	readonly help: string;
	/** Section of the help screen. */
	readonly section: Section;
	/** The binding is skipped, and its key may be typed, while this is false. */
	readonly when?: (state: State) => boolean;
	/** The action's name in pi's keybindings.json, where pi has the same one. */
	readonly pi?: string;
}

export type Section = "Moving" | "Session" | "List" | "Tree" | "Filter" | "Program";

const PANES = ["list", "tree", "entry"] as const;
const QUERIED = ["list", "tree"] as const;
const EDITED = ["list", "tree", "prompt"] as const;

export const KEYMAP = [
	{
		command: "up",
		keys: ["up"],
		contexts: [...PANES, "menu", "help"],
		section: "Moving",
		help: "one row up",
		pi: "tui.select.up",
	},
	{
		command: "down",
		keys: ["down"],
		contexts: [...PANES, "menu", "help"],
		section: "Moving",
		help: "one row down",
		pi: "tui.select.down",
	},
	{
		command: "page-up",
		keys: ["pageUp"],
		contexts: [...PANES, "menu", "help"],
		section: "Moving",
		help: "one page up",
		pi: "tui.select.pageUp",
	},
	{
		command: "page-down",
		keys: ["pageDown"],
		contexts: [...PANES, "menu", "help"],
		section: "Moving",
		help: "one page down",
		pi: "tui.select.pageDown",
	},
	{
		command: "first",
		keys: ["home"],
		contexts: [...PANES, "menu", "help"],
		section: "Moving",
		help: "to the first row",
	},
	{ command: "last", keys: ["end"], contexts: [...PANES, "menu", "help"], section: "Moving", help: "to the last row" },
	{
		command: "next-pane",
		keys: ["right"],
		contexts: ["list"],
		short: "tree",
		section: "Moving",
		help: "into the session's tree",
		when: hasSession,
	},
	{
		command: "next-pane",
		keys: ["right"],
		contexts: ["tree"],
		short: "text",
		section: "Moving",
		help: "into the text of the entry",
	},
	{
		command: "previous-pane",
		keys: ["left"],
		contexts: ["tree", "entry"],
		short: "back",
		section: "Moving",
		help: "back to the pane before",
	},
	{
		command: "scroll-up",
		keys: ["shift+up"],
		contexts: QUERIED,
		section: "Moving",
		help: "scroll the text of the entry up",
	},
	{
		command: "scroll-down",
		keys: ["shift+down"],
		contexts: QUERIED,
		section: "Moving",
		help: "scroll the text of the entry down",
	},
	{
		command: "open-hit",
		keys: ["enter"],
		contexts: ["list"],
		short: "open hit",
		section: "Moving",
		help: "after a search in what was said: into the tree, at the best hit",
		when: hasHit,
	},
	{
		command: "next-hit",
		keys: ["ctrl+n"],
		contexts: ["tree", "entry"],
		short: "next hit",
		section: "Moving",
		help: "to the next hit of the search",
		when: hasHits,
	},
	{
		command: "previous-hit",
		keys: ["ctrl+p"],
		contexts: ["tree", "entry"],
		section: "Moving",
		help: "to the hit before",
		when: hasHits,
	},
	{
		command: "resume",
		keys: ["enter"],
		contexts: PANES,
		short: "resume",
		section: "Session",
		help: "resume in pi; on an entry that is not the leaf, choose from where",
		when: hasSession,
		pi: "tui.select.confirm",
	},
	{
		command: "branch",
		keys: ["ctrl+b"],
		contexts: PANES,
		short: "branch",
		section: "Session",
		help: "branch or fork into a new session",
		when: hasSession,
	},
	{
		command: "rename",
		keys: ["ctrl+r"],
		contexts: PANES,
		short: "rename",
		section: "Session",
		help: "rename the session; an empty name clears",
		when: hasSession,
		pi: "app.session.rename",
	},
	{
		command: "delete",
		keys: ["ctrl+d"],
		contexts: PANES,
		short: "delete",
		section: "Session",
		help: "move the session's file to the trash, after asking",
		when: hasSession,
		pi: "app.session.delete",
	},
	{
		command: "undo",
		keys: ["ctrl+z"],
		contexts: PANES,
		short: "undo",
		section: "Session",
		help: "take back the last change: rename, label, branch, fork, delete",
	},
	{
		command: "scope",
		keys: ["tab"],
		contexts: ["list"],
		short: "scope",
		section: "List",
		help: "sessions of all projects, of this repository, of this directory",
		pi: "tui.input.tab",
	},
	{
		command: "sort",
		keys: ["ctrl+s"],
		contexts: ["list"],
		short: "sort",
		section: "List",
		help: "choose the order",
		pi: "app.session.toggleSort",
	},
	{
		command: "named",
		keys: ["ctrl+n"],
		contexts: ["list"],
		short: "named",
		section: "List",
		help: "only sessions that have a name, or all",
		pi: "app.session.toggleNamedFilter",
	},
	{
		command: "path",
		keys: ["ctrl+p"],
		contexts: ["list"],
		section: "List",
		help: "show the files' paths, or the projects",
		pi: "app.session.togglePath",
	},
	{
		command: "label",
		keys: ["L"],
		contexts: ["tree", "entry"],
		short: "label",
		section: "Tree",
		help: "label the entry; an empty label clears",
		when: hasEntry,
		pi: "app.tree.editLabel",
	},
	{
		command: "label-times",
		keys: ["T"],
		contexts: ["tree"],
		section: "Tree",
		help: "show when labels were set",
		pi: "app.tree.toggleLabelTimestamp",
	},
	{
		command: "fold",
		keys: ["ctrl+left", "alt+left"],
		contexts: ["tree"],
		section: "Tree",
		help: "fold the branch, or go to its start",
		pi: "app.tree.foldOrUp",
	},
	{
		command: "unfold",
		keys: ["ctrl+right", "alt+right"],
		contexts: ["tree"],
		section: "Tree",
		help: "unfold the branch, or go to the next one",
		pi: "app.tree.unfoldOrDown",
	},
	{
		command: "filter-next",
		keys: ["ctrl+o"],
		contexts: ["tree"],
		short: "filter",
		section: "Tree",
		help: "next filter: default, no tools, user only, labeled only, all",
		pi: "app.tree.filter.cycleForward",
	},
	{
		command: "filter-previous",
		keys: ["ctrl+shift+o"],
		contexts: ["tree"],
		section: "Tree",
		help: "the filter before",
		pi: "app.tree.filter.cycleBackward",
	},
	{
		command: "filter-no-tools",
		keys: ["ctrl+t"],
		contexts: ["tree"],
		section: "Tree",
		help: "without tool results, or the default",
		pi: "app.tree.filter.noTools",
	},
	{
		command: "filter-user",
		keys: ["ctrl+u"],
		contexts: ["tree"],
		section: "Tree",
		help: "only what the user said, or the default",
		pi: "app.tree.filter.userOnly",
	},
	{
		command: "filter-labeled",
		keys: ["ctrl+l"],
		contexts: ["tree"],
		section: "Tree",
		help: "only labeled entries, or the default",
		pi: "app.tree.filter.labeledOnly",
	},
	{
		command: "filter-all",
		keys: ["ctrl+a"],
		contexts: ["tree"],
		section: "Tree",
		help: "every entry, or the default",
		pi: "app.tree.filter.all",
	},
	{
		command: "copy",
		keys: ["ctrl+x"],
		contexts: ["tree", "entry"],
		short: "copy",
		section: "Tree",
		help: "copy the text of the entry to the clipboard",
		when: hasEntry,
		pi: "app.message.copy",
	},
	{
		command: "copy-path",
		keys: ["ctrl+x"],
		contexts: ["list"],
		section: "List",
		help: "copy the path of the session's file to the clipboard",
		when: hasSession,
	},
	{
		command: "erase",
		keys: ["backspace"],
		contexts: EDITED,
		section: "Filter",
		help: "delete the character before the cursor",
	},
	{
		command: "erase-word",
		keys: ["ctrl+w", "alt+backspace"],
		contexts: EDITED,
		section: "Filter",
		help: "delete the word before the cursor",
	},
	{
		command: "erase-all",
		keys: ["ctrl+u"],
		contexts: ["list", "prompt"],
		section: "Filter",
		help: "delete all before the cursor",
	},
	{
		command: "erase-next",
		keys: ["delete"],
		contexts: ["prompt"],
		section: "Filter",
		help: "delete the character after the cursor",
	},
	{
		command: "erase-rest",
		keys: ["ctrl+k"],
		contexts: ["prompt"],
		section: "Filter",
		help: "delete all after the cursor",
	},
	{ command: "cursor-back", keys: ["left", "ctrl+b"], contexts: ["prompt"], section: "Filter", help: "cursor back" },
	{
		command: "cursor-forward",
		keys: ["right", "ctrl+f"],
		contexts: ["prompt"],
		section: "Filter",
		help: "cursor forward",
	},
	{
		command: "cursor-start",
		keys: ["home", "ctrl+a"],
		contexts: ["prompt"],
		section: "Filter",
		help: "cursor to the start",
	},
	{
		command: "cursor-end",
		keys: ["end", "ctrl+e"],
		contexts: ["prompt"],
		section: "Filter",
		help: "cursor to the end",
	},
	{
		command: "choose",
		keys: ["enter"],
		contexts: ["menu"],
		short: "choose",
		section: "Program",
		help: "take what is highlighted",
	},
	{
		command: "choose",
		keys: ["enter"],
		contexts: ["prompt"],
		short: "save",
		section: "Program",
		help: "take what was typed",
	},
	{
		command: "cancel",
		keys: ["escape", "ctrl+c"],
		contexts: ["menu", "prompt", "help"],
		short: "cancel",
		section: "Program",
		help: "close without doing anything",
		pi: "tui.select.cancel",
	},
	{
		command: "back",
		keys: ["escape"],
		contexts: PANES,
		section: "Program",
		help: "clear the filter, then go back a pane, then leave",
	},
	{ command: "refresh", keys: ["ctrl+l"], contexts: ["list"], section: "Program", help: "compare with the disk now" },
	{
		command: "help",
		keys: ["?"],
		contexts: PANES,
		short: "help",
		section: "Program",
		help: "show all keys",
		when: queryIsEmpty,
	},
	{
		command: "help",
		keys: ["ctrl+g"],
		contexts: PANES,
		short: "help",
		section: "Program",
		help: "show all keys, while a filter is typed too",
		when: (state) => !queryIsEmpty(state),
	},
	{
		command: "stats",
		keys: ["ctrl+t"],
		contexts: ["list"],
		short: "stats",
		section: "Program",
		help: "what the sessions cost and weigh, by project, model and month",
	},
	{
		command: "problems",
		keys: ["!"],
		contexts: PANES,
		short: "problems",
		section: "Program",
		help: "show what is damaged or could not be read, and why",
		when: (state) => queryIsEmpty(state) && hasProblems(state),
	},
	{ command: "leave", keys: ["ctrl+c"], contexts: PANES, section: "Program", help: "leave" },
] as const satisfies readonly Binding[];

/** Name of something a person can do. */
export type CommandId = (typeof KEYMAP)[number]["command"];

/** The pane or overlay that keys go to. */
export function contextOf(state: State): Context {
	return state.overlays.at(-1)?.kind ?? state.focus;
}

/** A row of the keymap with its command's name known. */
export type BoundCommand = Binding & { readonly command: CommandId };

/** The bindings that work in a context now, in the order of the table: conditions hold, and no earlier one has the key. */
export function bindingsFor(state: State, context: Context = contextOf(state)): readonly BoundCommand[] {
	const taken = new Set<string>();
	return state.environment.keymap.filter((binding) => {
		const works = binding.contexts.includes(context) && (binding.when?.(state) ?? true);
		const free = binding.keys.filter((key) => !taken.has(key));
		if (!works || free.length === 0) return false;
		for (const key of free) taken.add(key);
		return true;
	});
}

/** The command that a key stands for at present. */
export function commandFor(state: State, key: string): CommandId | undefined {
	return bindingsFor(state).find((binding) => binding.keys.includes(key))?.command;
}

function hasSession(state: State): boolean {
	return state.list.selected !== undefined;
}

/** The session was found by what was said in it; one that was found by its name is wanted itself. */
function hasHit(state: State): boolean {
	const kind = selectedResult(state)?.best.kind;
	return kind !== undefined && kind !== "name" && kind !== "title" && kind !== "cwd";
}

function hasHits(state: State): boolean {
	return (state.tree.hits?.ids.length ?? 0) > 0;
}

function hasEntry(state: State): boolean {
	return state.detail.status === "ready" && state.detail.session.entries.length > 0;
}

function queryIsEmpty(state: State): boolean {
	if (state.focus === "entry") return true;
	return (state.focus === "list" ? state.list : state.tree).query.text === "";
}

function hasProblems({ environment, catalog }: State): boolean {
	return environment.problems.length + catalog.problems.length > 0 || damagedRows(catalog.rows).length > 0;
}
