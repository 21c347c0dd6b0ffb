import { type Key, onEntry, onSession } from "../../world/keys/key.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { PANES } from "../../world/state/binding.ts";
import { BACK_TO_PI, choose } from "../../world/state/effect.ts";
import { isOpenInHost } from "../../world/state/host.ts";
import { openOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { type GoOnPurpose, openEntryMenu } from "./host-menu.ts";
import { promptText, referenceText } from "./host-texts.ts";

const OF_ENTRIES = ["tree", "reader", "branches"] as const;

// Only if pi has started the browser (/grove). Choosing something ends the browser.
// biome-ignore format: a table
export const HOST_KEYS: readonly Key[] = [
	{ id: "resume", keys: ["enter"], contexts: ["list"], short: "back to pi", pi: "tui.select.confirm", when: isOnOpen,
		acts: "cursor", help: "on the session that is open in pi: back to it", run: (state) => transition(state, BACK_TO_PI) },
	{ id: "resume", keys: ["enter"], contexts: OF_ENTRIES, short: "in pi …", pi: "tui.select.confirm", when: isOnOpen,
		help: "on an entry of the session that is open in pi: go there, fork, or put it into pi's editor",
		...onEntry("choose", (state) => askAboutOpen(state, "resume")), acts: "cursor" },
	{ id: "to-editor", name: "Put into pi’s editor", synonyms: "prompt, send again", keys: [], contexts: OF_ENTRIES, when: isInPi, acts: "entry", needs: whyNoPrompt,
		help: "put the text of the prompt or of the command into pi's editor", run: putIntoEditor },
	{ id: "reference", name: "Put a reference into pi’s editor", synonyms: "mention, link", keys: [], contexts: PANES, when: isInPi,
		help: "put a reference to the session, in its tree to the entry, into pi's editor",
		...onSession("refer to", refer), acts: "cursor" },
];

function isInPi({ environment }: State): boolean {
	return environment.host !== undefined;
}

/** Whether the cursor is on the session that is open in pi, or on an entry of it. */
function isOnOpen(state: State): boolean {
	const row = selectedRow(state);
	return row !== undefined && isOpenInHost(state, row.path);
}

/** Asks what to do at the entry under the cursor of the session that is open in pi. */
export function askAboutOpen(state: State, purpose: GoOnPurpose): Transition {
	const { host } = state.environment;
	const [row, entry] = [selectedRow(state), entryUnderCursor(state)];
	if (host === undefined || row === undefined || entry === undefined) return transition(state);
	return transition(openOverlay(state, openEntryMenu(state, host, row, entry, purpose)));
}

function whyNoPrompt(state: State): string | undefined {
	const entry = entryUnderCursor(state);
	return entry !== undefined && promptText(entry) !== undefined
		? undefined
		: "Only the text of a prompt or of a command can be put into pi's editor; ctrl+x copies others";
}

function putIntoEditor(state: State): Transition {
	const entry = entryUnderCursor(state);
	const text = entry && promptText(entry);
	return text === undefined ? transition(state) : transition(state, choose({ action: "edit", text }));
}

function refer(state: State): Transition {
	const row = selectedRow(state);
	if (row === undefined) return transition(state);
	const entryId = state.focus === "list" ? undefined : entryUnderCursor(state)?.id;
	const entry = entryId === undefined ? {} : { entryId };
	return transition(
		state,
		choose({ action: "reference", text: referenceText(row, entryId), path: row.path, ...entry }),
	);
}
