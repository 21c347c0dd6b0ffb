import { moveBack } from "../../../ui/field/typing.ts";
import type { Distance } from "../../../ui/page/page-rows.ts";
import { openCommands, runChosen } from "../../features/commands/commands-box.ts";
import { markedSign, markSign, searchFor } from "../../features/help/help-page.ts";
import { LEAVE_CHIP_KEYS } from "../../features/list/chips.ts";
import { UNMARK_KEYS } from "../../features/list/marking-keys.ts";
import { chooseProject } from "../../features/list/projects-overlay.ts";
import { openMaintenance } from "../../features/maintenance/maintenance-actions.ts";
import { allProblems } from "../../features/maintenance/maintenance-state.ts";
import { colorsMenu } from "../../features/memory/memory-state.ts";
import { goToHit } from "../../features/reader/search-results.ts";
import { change, type Key, onSession, PANES } from "../../world/keys/key.ts";
import { damagedRows } from "../../world/list/list-counts.ts";
import { goBack, leadsBack, leadsOut } from "../../world/page/way-back.ts";
import { backOnePane, focusOn, toggleZoom } from "../../world/screen/layout.ts";
import { shownItems } from "../../world/screen/menus.ts";
import { type Binding, bindingsFor } from "../../world/state/binding.ts";
import { closeOverlay, type MenuItem, openHelp, openOverlay, topOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { LETTER_PAGES, PAGE_KINDS, TYPING_PAGES } from "../features/features.ts";
import { canEditHere, clearField, fieldOf, isFiltered, moveHere, submit } from "../input/keyboard.ts";

const EVERYWHERE = [...PANES, "saved"] as const;
/** Where one types from the start: only what stands before any text can be no text. */
const TYPED_FIRST = ["list", "saved", ...TYPING_PAGES] as const;
const OVERLAYS = ["menu", "prompt", "help", "palette", "projects", "blame", ...PAGE_KINDS] as const;

// biome-ignore format: a table
export const PROGRAM_KEYS: readonly Key[] = [
	{ id: "choose", keys: ["enter"], contexts: ["menu"], short: (state) => isDoneByEnter(state) ? "done" : "choose", pi: "tui.select.confirm",
		help: "choose the highlighted item, or keep what is checked; letters narrow the items", run: (state) => isDoneByEnter(state) ? transition(closeOverlay(state)) : submit(state) },
	{ id: "toggle-box", keys: [" "], contexts: ["menu"], short: "check", when: isOnCheckBox,
		help: "check or clear the highlighted box, and stay in the menu", condition: "on a check box", run: change(toggleBox) },
	{ id: "choose", keys: ["enter"], contexts: ["prompt"], short: "save", pi: "tui.input.submit",
		help: "save the typed text", run: submit },
	{ id: "leave", name: "Leave", synonyms: "quit!, exit!, close, q!, qa!, wq!, x!", keys: ["ctrl+q"], contexts: [...EVERYWHERE, "find", "filter", ...OVERLAYS], help: "leave, from anywhere", run: leave },
	{ id: "leave", keys: ["ctrl+c"], contexts: ["list", "saved"], short: "leave", help: "leave", run: leave },
	{ id: "leave", keys: ["ctrl+c"], contexts: OVERLAYS, when: neverCloses, help: "leave", run: leave },
	{ id: "cancel", keys: ["escape", "ctrl+c"], contexts: ["menu", "prompt"], short: "cancel", pi: "tui.select.cancel",
		help: "close, and change nothing", run: change(cancelOverlay) },
	{ id: "choose", keys: ["enter"], contexts: ["palette"], short: "run", pi: "tui.select.confirm",
		help: "run the highlighted command", run: runChosen },
	{ id: "stop-work", keys: ["escape"], contexts: [...PANES, ...PAGE_KINDS], short: "stop", pi: "tui.select.cancel",
		when: ({ progress }) => progress !== undefined,
		help: "stop before the next session; finished ones can be undone", condition: "while a change of several sessions runs",
		run: (state) => transition(stopped(state), { type: "stop-work" }) },
	{ id: "back", keys: ["escape"], contexts: TYPING_PAGES, short: "clear", pi: "tui.select.cancel",
		when: isFiltered, help: "clear the filter", condition: "if something is typed", run: change(clearField) },
	{ id: "cancel", keys: ["escape", "ctrl+c"], contexts: TYPING_PAGES, short: "back", pi: "tui.select.cancel",
		when: (state) => !isFiltered(state), help: "back", run: change(closeOverlay) },
	{ id: "cancel", keys: ["ctrl+c"], contexts: TYPING_PAGES, pi: "tui.select.cancel", help: "back", run: change(closeOverlay) },
	{ id: "cancel", keys: ["escape", "ctrl+c"], contexts: [...LETTER_PAGES, "help", "blame"], pi: "tui.select.cancel", help: "back", run: change(closeOverlay) },
	{ id: "keys", keys: [], contexts: ["help"], when: (state) => !isFiltered(state), help: "close", condition: "if nothing is typed", run: change(closeOverlay) },
	{ id: "previous-pane", keys: ["left"], contexts: [...LETTER_PAGES, "help", "blame"], short: "back", help: "back", run: change(closeOverlay) },
	{ id: "previous-pane", keys: ["left"], contexts: TYPING_PAGES, when: (state) => !canEditHere(state, moveBack),
		help: "back", condition: "at the beginning of the text", run: change(closeOverlay) },
	{ id: "choose", keys: ["enter"], contexts: ["projects"], short: "only this", pi: "tui.select.confirm",
		help: "show only the sessions of the highlighted project", run: chooseProject },
	{ id: "cancel", keys: ["escape", "ctrl+c"], contexts: ["palette", "projects"], short: "close", pi: "tui.select.cancel",
		help: "close", run: change(closeOverlay) },
	{ id: "back", keys: ["escape"], contexts: ["list", "tree"], short: "back", pi: "tui.select.cancel", when: leadsBack,
		help: "back to the page that you came from", condition: "if you came from a page", run: change(goBack) },
	{ id: "back", keys: ["escape"], contexts: ["list"], short: "clear", pi: "tui.select.cancel",
		when: isFiltered, help: "clear the filter", condition: "if something is typed", run: change(clearField) },
	...LEAVE_CHIP_KEYS,
	{ id: "back", keys: ["escape"], contexts: ["list"], short: "back", pi: "tui.select.cancel",
		when: ({ zoom }) => zoom, help: "restore all panes", condition: "on the full screen", run: change(backOnePane) },
	...UNMARK_KEYS,
	{ id: "back", keys: ["escape"], contexts: ["list"], short: "back to pi", pi: "tui.select.cancel",
		within: "pi", help: "back to pi", condition: "if nothing is typed", run: leave },
	{ id: "back", keys: ["escape"], contexts: ["list"], short: "leave", pi: "tui.select.cancel",
		within: "pick", help: "leave without choosing", condition: "if nothing is typed", run: leave },
	{ id: "back", keys: ["escape"], contexts: ["list"], pi: "tui.select.cancel",
		help: "say which keys leave", condition: "if nothing narrows the list and nothing is marked", run: change(sayHowToLeave) },
	{ id: "back", keys: ["escape"], contexts: ["tree", "reader"], pi: "tui.select.cancel",
		help: "back to the previous pane", condition: "if nothing is typed", run: change(backOnePane) },
	{ id: "home", keys: [], contexts: [...PANES, ...PAGE_KINDS], help: "to the list, from anywhere",
		run: change((state) => focusOn("list")({ ...state, overlays: [] })) },
	{ id: "help", keys: ["ctrl+k"], contexts: ["palette"], help: "close", run: change(closeOverlay) },
	{ id: "refresh", keys: [], contexts: ["list"], help: "ask a place again that has failed", run: (state) => transition(state, { type: "refresh" }) },
	{ id: "help", keys: ["ctrl+k"], contexts: [...EVERYWHERE, "filter", ...PAGE_KINDS], short: "commands",
		help: "find a command by name, and run it", run: change(openCommands) },
	{ id: "help", keys: [":"], contexts: TYPED_FIRST, when: isNothingTyped, condition: "if nothing is typed",
		help: "find a command by name, and run it", run: change(openCommands) },
	{ id: "search", name: "Search all sessions", synonyms: "find, look for, query, grep", keys: [], contexts: PANES,
		help: "to the list, where one types what to look for", run: change(toSearch) },
	{ id: "search", keys: ["/"], contexts: TYPED_FIRST, when: isNothingTyped, condition: "if nothing is typed",
		help: "search, as in less and vim: type the query next", run: change((state) => state) },
	{ id: "keys", keys: ["?"], contexts: TYPED_FIRST, when: isNothingTyped, condition: "if nothing is typed",
		help: "show the keys and what the signs mean", run: change(openKeys) },
	{ id: "keys", name: "Keys and signs", synonyms: "help, all keys, shortcuts, legend, symbols, ?", keys: [],
		contexts: [...PANES, "saved", ...PAGE_KINDS], help: "show the keys and what the signs mean", run: change(openKeys) },
	{ id: "keys", keys: ["?"], contexts: ["palette"], short: "keys and signs", when: isNothingTyped,
		help: "show the keys and what the signs mean", run: change((state) => openKeys(closeOverlay(state))) },
	{ id: "query-help", name: "What can be searched for", synonyms: "query language, fields, syntax, help", keys: [], contexts: ["list", "tree", ...TYPING_PAGES],
		help: "the query language: words, fields, dates, conditions", run: change((state) => openHelp(state, "query")) },
	{ id: "settings", name: "Colors…", synonyms: "theme, dark, light, settings", keys: [], contexts: PANES,
		help: "choose the colors", run: change((state) => openOverlay(state, colorsMenu(state))) },
	{ id: "problems", name: "Problems", synonyms: "errors, damaged, unreadable", keys: [], contexts: PANES, needs: needsProblems,
		help: "what could not be read or is damaged, and why, in Maintenance", run: change((state) => openMaintenance(state, allProblems(state).length > 0 ? "problems" : "damaged")) },
	{ id: "redraw", name: "Redraw the screen", synonyms: "refresh, repaint, garbled, clear", keys: ["ctrl+l"], contexts: [...PANES.filter((pane) => pane !== "tree"), "saved", "filter", ...OVERLAYS],
		help: "redraw the screen, after another program has written on it", run: (state) => transition(state, { type: "redraw" }) },
	{ id: "redraw", keys: [], contexts: ["tree"], help: "redraw the screen, after another program has written on it",
		run: (state) => transition(state, { type: "redraw" }) },
	{ id: "suspend", name: "Suspend", synonyms: "ctrl+z, background, shell", keys: ["ctrl+z"], contexts: [...EVERYWHERE, "filter", ...OVERLAYS], pi: "app.suspend",
		help: "suspend; fg in the shell continues", needs: whyNoShell, run: (state) => transition(state, { type: "suspend" }) },
];

/** Whether the person has reassigned ctrl+c, which closes what is open, as in pi: then it leaves, since it must lead out. */
function neverCloses(state: State): boolean {
	const closes = ({ id, keys }: Binding): boolean => id === "cancel" && keys.includes("ctrl+c");
	return !state.environment.keymap.some(closes);
}

function stopped(state: State): State {
	return state.progress === undefined ? state : { ...state, progress: { ...state.progress, isStopped: true } };
}

function leave(state: State): Transition {
	return transition(state, { type: "leave", outcome: { kind: "quit" } });
}

/** One escape too many must not end the program. */
function sayHowToLeave(state: State): State {
	const ways = bindingsFor(state).flatMap(({ id, keys }) => (id === "leave" ? keys : []));
	return say(state, `Press ${ways.toReversed().join(" or ")} to leave`, "muted");
}

function toSearch(state: State): State {
	return say(focusOn("list")(state), "Type what was said or run, in any session", "muted");
}

function openKeys(state: State): State {
	return openHelp(state, "keys");
}

/** Whether nothing is typed into the field that keys go to, so that "?" is not part of a word. */
function isNothingTyped(state: State): boolean {
	return (fieldOf(state)?.text ?? "") === "";
}

/** Why the browser cannot be suspended: a shell waits for the choice, or pi for its terminal. */
function whyNoShell({ environment: { host, picks } }: State): string | undefined {
	if (host !== undefined) return "pi is waiting for its terminal: leave first, then suspend pi";
	return picks === undefined ? undefined : "The shell is waiting for your choice: choose, or leave first";
}

function needsProblems(state: State): string | undefined {
	const count = allProblems(state).length + damagedRows(state.catalog.here).length;
	return count > 0 ? undefined : "There are no problems to show";
}

const ROWS = [...PANES, "filter", "menu", "help", "palette", "projects", "blame", ...PAGE_KINDS] as const;
const TREE_AND_READER = ["tree", "reader"] as const;
const HELP = ["help"] as const;
const READER = ["reader"] as const;

// biome-ignore format: a table
export const MOVING_KEYS: readonly Key[] = [
	{ id: "up", keys: ["up", "ctrl+p"], contexts: ROWS, pi: "tui.select.up", help: "one row up", ...go({ rows: -1 }) },
	{ id: "down", keys: ["down", "ctrl+n"], contexts: ROWS, pi: "tui.select.down", help: "one row down", ...go({ rows: 1 }) },
	{ id: "page-up", keys: ["pageUp"], contexts: ROWS, pi: "tui.select.pageUp", help: "one page up",
		...go({ pages: -1 }) },
	{ id: "page-down", keys: ["pageDown"], contexts: ROWS, pi: "tui.select.pageDown", help: "one page down",
		...go({ pages: 1 }) },
	{ id: "find-sign", keys: ["enter"], contexts: HELP, short: (state) => `list ${signHere(state)}`, when: (state) => signHere(state) !== undefined,
		help: "list the sessions with the marked sign", run: change((state) => searchFor(state, signHere(state) ?? "")) },
	{ id: "next-sign", keys: ["tab"], contexts: HELP, short: "next sign", when: isOnKeys, help: "to the next sign that can be searched for", run: change(toSign(1)) },
	{ id: "previous-sign", keys: ["shift+tab"], contexts: HELP, when: isOnKeys, help: "to the previous one", run: change(toSign(-1)) },
	{ id: "next-page", keys: [], contexts: HELP, short: "page", help: "one page down", ...go({ pages: 1 }) },
	{ id: "first", keys: ["home"], contexts: ROWS, help: "to the first row", ...go({ end: "first" }) },
	{ id: "last", keys: ["end"], contexts: ROWS, help: "to the last row", ...go({ end: "last" }) },
	{ id: "next-pane", name: "Open {}", synonyms: "read, view, tree, text, conversation", keys: ["right"], contexts: ["list"], short: "open", help: "open the session's tree; after a search, at the best hit",
		...onSession("open", change(focusOn("tree")), { where: "anywhere" }) },
	{ id: "next-pane", keys: ["right"], contexts: ["tree"], short: "text", help: "read the text of the entry",
		acts: "entry", run: change(focusOn("reader")) },
	{ id: "full-page", name: "Read on the full screen", synonyms: "read, whole screen, fullscreen", keys: ["right"], contexts: READER, when: ({ zoom }) => !zoom, help: "read on the full screen",
		run: change((state) => toggleZoom(state)) },
	{ id: "previous-pane", keys: ["left", "ctrl+c"], contexts: ["tree"], short: "back", when: leadsBack,
		help: "back to the page that you came from", condition: "if you came from a page", run: change(goBack) },
	{ id: "go-out", keys: ["escape", "ctrl+c"], contexts: ["tree"], short: "back to pi", pi: "tui.select.cancel", within: "pi", when: leadsOut,
		help: "back to pi", condition: "if the session was opened directly", run: leave },
	{ id: "go-out", keys: ["escape", "ctrl+c"], contexts: ["tree"], short: "leave", pi: "tui.select.cancel", when: leadsOut,
		help: "leave", condition: "if the session was opened directly", run: leave },
	{ id: "to-list", keys: ["left"], contexts: ["tree"], short: "list", when: leadsOut,
		help: "to the list", condition: "if the session was opened directly", run: change(backOnePane) },
	{ id: "previous-pane", keys: ["left", "ctrl+c"], contexts: TREE_AND_READER, short: "back", help: "back to the previous pane",
		run: change(backOnePane) },
	{ id: "next-hit", name: "Next hit", synonyms: "search, match", keys: [], contexts: TREE_AND_READER, short: "next hit", when: isNotFinding, needs: needsHits,
		help: "to the next hit of the search", acts: "entry", run: change((state) => goToHit(state, 1)) },
	{ id: "previous-hit", name: "Previous hit", synonyms: "search, match", keys: [], contexts: TREE_AND_READER, when: isNotFinding, needs: needsHits,
		help: "to the previous hit", acts: "entry", run: change((state) => goToHit(state, -1)) },
];

function isOnKeys(state: State): boolean {
	const overlay = topOverlay(state);
	return overlay?.kind === "help" && overlay.page === "keys";
}

/** The query that finds the marked sign of the page of keys. */
function signHere(state: State): string | undefined {
	const overlay = topOverlay(state);
	return overlay?.kind === "help" && overlay.page === "keys" ? markedSign(state, overlay)?.query : undefined;
}

function toSign(step: 1 | -1): (state: State) => State {
	return (state) => {
		const overlay = topOverlay(state);
		return overlay?.kind === "help" ? markSign(state, overlay, step) : state;
	};
}

function go(distance: Distance): Pick<Binding, "acts" | "run"> {
	return {
		acts: "cursor",
		run: change((state) => moveHere(state, distance)),
	};
}

/** Toggles the highlighted check box of a menu, which stays open. */
function toggleBox(state: State): State {
	const overlay = topOverlay(state);
	const item = highlightedItem(state);
	if (overlay?.kind !== "menu" || item?.change === undefined) return state;
	const toggled = { ...item, checked: !item.checked };
	return openOverlay(item.change(closeOverlay(state)), {
		...overlay,
		listBefore: overlay.listBefore ?? state.list,
		items: overlay.items.map((other) => (other === item ? toggled : other)),
	});
}

/** Whether Enter keeps what is checked: where all items are check boxes, and on one after any was toggled. */
function isDoneByEnter(state: State): boolean {
	const overlay = topOverlay(state);
	if (overlay?.kind !== "menu" || !isOnCheckBox(state)) return false;
	return overlay.listBefore !== undefined || overlay.items.every(({ checked }) => checked !== undefined);
}

/** Closes a menu or a prompt; the check boxes are as they were. */
function cancelOverlay(state: State): State {
	const overlay = topOverlay(state);
	const closed = closeOverlay(state);
	return overlay?.kind === "menu" && overlay.listBefore !== undefined
		? { ...closed, list: overlay.listBefore }
		: closed;
}

function isOnCheckBox(state: State): boolean {
	return highlightedItem(state)?.checked !== undefined;
}

function highlightedItem(state: State): MenuItem | undefined {
	const overlay = topOverlay(state);
	return overlay?.kind === "menu" ? shownItems(overlay)[overlay.index] : undefined;
}

/** The matches of what is found in the reader come before the hits of the list. */
function isNotFinding({ focus, reader }: State): boolean {
	return focus !== "reader" || reader.find?.job === undefined;
}

function needsHits({ tree }: State): string | undefined {
	return (tree.hits?.ids.length ?? 0) > 0 ? undefined : "Nothing was searched for: / searches in the conversation";
}

// biome-ignore format: a table
export const PANE_KEYS: readonly Key[] = [
	{ id: "full-page", keys: [], contexts: TREE_AND_READER,
		help: "read on the full screen, or restore the panes", run: change((state) => toggleZoom(state, "reader")) },
	{ id: "zoom", name: "Maximize the pane, or restore all panes", isOn: ({ zoom }) => zoom, synonyms: "zoom, bigger, fullscreen, preview, hide the preview", keys: [], contexts: PANES, help: "maximize this pane, or restore all panes",
		run: change((state) => toggleZoom(state)) },
];
