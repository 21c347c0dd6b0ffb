import type { Use, UseKind } from "../../../catalog/uses/use.ts";
import { FIRST_CURSOR } from "../../../ui/page/page-rows.ts";
import { change, isPicking, type Key, openPage, PANES } from "../../world/keys/key.ts";
import { atEntry, hitEntryId } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { openTree } from "../../world/page/way-back.ts";
import { choose } from "../../world/state/effect.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { USES_PAGE } from "./uses-page.ts";
import { FOUND_USES, reparsed, selectedUseRow, USES } from "./uses-state.ts";

const HERE = ["prompts"] as const;

// On this page letters are typed into the filter.
// biome-ignore format: a table
const USES_KEYS: readonly Key[] = [
	{ id: "prompts", name: "Prompts", synonyms: "what I asked, history, recall", keys: [], contexts: PANES,
		help: "list the prompts of all sessions, to find, copy or open one", run: change(openUses("prompt")) },
	{ id: "commands", name: "Shell commands", synonyms: "bash, what was run, recall", keys: [], contexts: PANES,
		help: "list the shell commands of all sessions, to find, copy or open one", run: change(openUses("command")) },
	{ id: "to-editor", keys: ["enter"], contexts: HERE, short: "into pi's editor", within: "pi", when: isTextForPi, acts: "entry",
		help: "insert the text into pi's editor, to change and send it", needs: needsUse, run: sendText("pi") },
	{ id: "go-to-use", name: "Go there", synonyms: "open, session, tree", keys: ["enter"], contexts: HERE, short: "go there", acts: "entry", needs: needsUse,
		help: "open the session's tree at this use, or at the last use", run: change(goToUse) },
	{ id: "copy", keys: ["ctrl+x"], contexts: HERE, short: "copy", pi: "app.message.copy", acts: "entry", needs: needsUse,
		help: "copy the text to the clipboard", run: sendText("clipboard") },
	{ id: "new-with-prompt", name: "New session with this prompt", synonyms: "reuse, again, start pi", keys: ["alt+n"], contexts: HERE, acts: "entry", needs: needsPrompt, about: whereText,
		help: "start pi with a new session in the same directory, the prompt on the clipboard", run: sendText("session") },
	{ id: "open-text", name: "Show where it was used", synonyms: "uses, sessions", keys: ["right"], contexts: HERE, short: "where", when: isClosed,
		help: "show all uses of the text", run: change((state) => openText(state, true)) },
	{ id: "close-text", keys: ["left"], contexts: HERE, short: "hide", when: isOpen,
		help: "hide the uses of the text", run: change((state) => openText(state, false)) },
	{ id: "sort", keys: ["ctrl+s"], contexts: HERE, short: "order",
		help: "order by last use, or by number of uses", run: change(otherOrder) },
	{ id: "show-commands", keys: ["ctrl+o"], contexts: HERE, short: "commands", when: (state) => USES.of(state).kind === "prompt",
		help: "show the commands, with the same filter", run: change(showKind("command")) },
	{ id: "show-prompts", keys: ["ctrl+o"], contexts: HERE, short: "prompts", when: (state) => USES.of(state).kind === "command",
		help: "show the prompts, with the same filter", run: change(showKind("prompt")) },
];

/** What becomes of the text, where pi does not take it into its editor from us. */
function whereText({ environment }: State): string | undefined {
	return environment.host === undefined ? "its text to the clipboard" : undefined;
}

/** Whether Enter passes the text to pi; on a single use it goes to the session instead. */
function isTextForPi(state: State): boolean {
	return state.environment.host !== undefined && selectedUseRow(state)?.kind !== "use";
}

function isClosed(state: State): boolean {
	return selectedUseRow(state)?.isOpen === false;
}

function isOpen(state: State): boolean {
	return selectedUseRow(state)?.isOpen === true;
}

function needsUse(state: State): string | undefined {
	return selectedUseRow(state) === undefined ? `There is no ${USES.of(state).kind} here` : undefined;
}

/** Opens the page of prompts or commands as it was left; a search that has failed is tried again. */
function openUses(kind: UseKind): (state: State) => State {
	return (state) => {
		const open = openPage(FOUND_USES.renew(state), "prompts");
		return kind === USES.of(state).kind ? open : showKind(kind)(open);
	};
}

/** Switches to a kind, with the same filter. */
function showKind(kind: UseKind): (state: State) => State {
	return (state) => reparsed(USES.with(state, { cursor: FIRST_CURSOR, opened: new Set() }), kind);
}

/** Puts the most used texts first, or the newest again. */
function otherOrder(state: State): State {
	const order = USES.of(state).order === "newest" ? "most used" : "newest";
	return USES.with(state, { order, cursor: FIRST_CURSOR });
}

/** Shows or hides the uses of the text under the cursor. */
function openText(state: State, isOpen: boolean): State {
	const row = selectedUseRow(state);
	if (row === undefined) return state;
	const opened = new Set(USES.of(state).opened);
	if (isOpen) opened.add(row.text.key);
	else opened.delete(row.text.key);
	const { cursor } = USES.of(state);
	const selected = isOpen ? row.key : String(row.text.key);
	return USES.with(state, { opened, cursor: { ...cursor, selected } });
}

/** Copies the text under the cursor, or passes it to the editor of the pi that started the browser, or to a new session. */
function sendText(to: PromptsEffect["to"]): (state: State) => Transition {
	return (state) => {
		const use = selectedUseRow(state)?.use;
		return use === undefined ? transition(state) : transition(state, { type: "send-use", use, to });
	};
}

function needsPrompt(state: State): string | undefined {
	if (USES.of(state).kind === "command") return "A session begins with a prompt, not with a command";
	return isPicking(state) ? "Here a session can only be chosen" : needsUse(state);
}

/** Opens a new session with the text: in the pi that started the browser, else starts pi where the prompt was used. */
function startWith(state: State, text: string, path: string): Transition {
	const { host, cwd } = state.environment;
	if (host !== undefined) return transition(state, choose({ action: "new", text }));
	const row = state.catalog.rows.get(path);
	const directory = row === undefined || row.place !== undefined || row.cwd === "" ? cwd : row.cwd;
	return transition(state, { type: "start-session", cwd: directory, text, what: "the prompt" });
}

function goToUse(state: State): State {
	const use = selectedUseRow(state)?.use;
	if (use === undefined) return state;
	if (!state.catalog.rows.has(use.path)) return say(state, "The session is no longer in the list", "warning");
	return openTree(state, use.path, (now) => atUse(now, use));
}

/** The open session with the cursor of the tree on the entry of a prompt or a command. */
function atUse(state: State, use: Use): State {
	const { session } = state.detail;
	// The tree shows a command of the model in the row of its result, if there is one.
	const ids = [use.resultId, session && hitEntryId(use, session)];
	const id = ids.find((one) => one !== undefined && session?.tree.byId.has(one));
	return id === undefined ? say(state, "The entry is no longer in the session", "warning") : atEntry(state, id);
}

export const PROMPTS: Feature<PromptsAction> = {
	page: USES_PAGE,
	keys: { section: "Prompts and commands", keys: USES_KEYS },
	on: {
		"use-text": (state, { text, startsAt }) =>
			startsAt === undefined ? transition(state, choose({ action: "edit", text })) : startWith(state, text, startsAt),
	},
};

type PromptsAction =
	/** The text of a prompt or a command, for the editor of the pi that started the browser; `startsAt`: for a new session beside that one. */
	{ readonly type: "use-text"; readonly text: string; readonly startsAt?: string };

export type PromptsEffect =
	/** Read the text of a prompt or a command, and copy it, pass it to the pi that started the browser, or begin a session with it. */
	{ readonly type: "send-use"; readonly use: Use; readonly to: "clipboard" | "pi" | "session" };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly prompts: PromptsAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly prompts: PromptsEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly prompts: true;
	}
}
