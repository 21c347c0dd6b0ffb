import type { SessionRow } from "../../../catalog/model/row.ts";
import { isLeaf } from "../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { fieldsOf, textOf } from "../../../store/format/fields.ts";
import { contentText } from "../../../store/format/message.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText } from "../../../ui/text/width.ts";
import { type Key, onEntry, onSelected, onSession, PANES } from "../../world/keys/key.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { CANCEL, menu, sentence } from "../../world/screen/menus.ts";
import { type Host, isOpenInHost } from "../../world/state/catalog-state.ts";
import { BACK_TO_PI, choose } from "../../world/state/effect.ts";
import { type MenuItem, type MenuOverlay, withOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import {
	answerBelow,
	BRANCH_LABEL,
	beforeLabel,
	FILES_LABEL,
	filesPlan,
	GO_ON_TITLE,
	isSaidAgain,
	leafLabel,
	quotedRow,
	rewindItem,
} from "./go-on-words.ts";

const NO_PROMPT = "Only a prompt or a command can be inserted into pi's editor; ctrl+x copies other texts";

const OF_ENTRIES = ["tree", "reader", "branches"] as const;

// Only if pi has started the browser (/grove). Choosing something ends the browser.
// biome-ignore format: a table
export const HOST_KEYS: readonly Key[] = [
	{ id: "resume", keys: ["enter"], contexts: ["list"], short: "back to pi", pi: "tui.select.confirm", within: "pi", when: isOnOpen,
		acts: "cursor", help: "return to the session in pi", condition: "on the session that is open in pi", run: (state) => transition(state, BACK_TO_PI) },
	{ id: "resume", keys: ["enter"], contexts: OF_ENTRIES, short: "in pi …", pi: "tui.select.confirm", within: "pi", when: isOnOpen,
		help: "go to the entry in pi, fork there, or insert its text into pi's editor", condition: "in the session that is open in pi",
		...onEntry("choose", (state) => askAboutOpen(state, "resume")), acts: "cursor" },
	{ id: "to-editor", name: "Insert into pi's editor", synonyms: "prompt, send again", keys: [], contexts: OF_ENTRIES, within: "pi", acts: "entry",
		help: "insert the text of the prompt or the command into pi's editor",
		...onSelected(promptUnderCursor, NO_PROMPT, (state, text) => transition(state, choose({ action: "edit", text }))) },
	{ id: "reference", name: "Insert a reference into pi's editor", synonyms: "mention, link", keys: [], contexts: PANES, within: "pi",
		help: "insert a reference to the session, or in the tree to the entry, into pi's editor",
		...onSession("refer to", refer), acts: "cursor" },
];

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
	return withOverlay(state, openEntryMenu(state, host, row, entry, purpose));
}

function promptUnderCursor(state: State): string | undefined {
	const entry = entryUnderCursor(state);
	return entry && promptText(entry);
}

function refer(state: State, row: SessionRow): Transition {
	const entryId = state.focus === "list" ? undefined : entryUnderCursor(state)?.id;
	const entry = entryId === undefined ? {} : { entryId };
	return transition(
		state,
		choose({ action: "reference", text: referenceText(row, entryId), path: row.path, ...entry }),
	);
}

/** Appended to the labels of actions that stop pi. */
const STOPS = ": stops the running turn";

/** Whether a dialog was opened to resume, or for a new session: the first item for that is highlighted. */
export type GoOnPurpose = "resume" | "branch";

/** Asks where to continue in the session that is open in pi, with the actions that pi offers for an entry. */
function openEntryMenu(
	state: State,
	host: Host,
	row: SessionRow,
	entry: SessionEntry,
	purpose: GoOnPurpose,
): MenuOverlay {
	const { path } = row;
	const session = state.detail.session;
	const stops = host.busy ? STOPS : "";
	const fork = { action: "fork", path, entryId: entry.id } as const;
	const branch = { label: `${BRANCH_LABEL}${stops}`, effect: choose({ ...fork, position: "at" }) };
	const beforeItem: MenuItem = {
		label: `Branch before this prompt, and reword it there${stops}`,
		effect: choose({ ...fork, position: "before" }),
	};
	const goTo = choose({ action: "goto", path, entryId: entry.id });
	const items: MenuItem[] = [
		...(session === undefined ? [] : onwardItems(host, session, row, entry)),
		...(session === undefined ? [] : [{ label: FILES_LABEL, effect: filesPlan(state, row, session, entry) }]),
		// A running turn may change files meanwhile.
		...(session === undefined || host.busy ? [] : rewindItem(state, row, session, entry, goTo)),
		...(isPrompt(entry) ? [beforeItem] : []),
		branch,
		...(session === undefined ? [] : leafItem(state, session, entry)),
		...textItems(row, entry),
		CANCEL,
	];
	const busy = host.busy ? sentence(state, "A turn is running in pi: a branch stops it.", "warning") : [];
	const quoted = session === undefined ? [] : [quotedRow(state, session, entry)];
	return menu(GO_ON_TITLE, [...quoted, ...busy], {
		index: purpose === "branch" ? items.indexOf(branch) : 0,
		items,
	});
}

/** Items that only fill pi's editor and change no session. */
export function textItems(row: SessionRow, entry: SessionEntry): MenuItem[] {
	const text = promptText(entry);
	const { path } = row;
	return [
		...(text === undefined
			? []
			: [{ label: "Insert its text into pi's editor", effect: choose({ action: "edit", text }) }]),
		{
			label: "Insert a reference to it into pi's editor",
			effect: choose({ action: "reference", text: referenceText(row, entry.id), path, entryId: entry.id }),
		},
	];
}

/** The items that make pi go to an entry, or back to its leaf, where it is already. */
function onwardItems(host: Host, session: Session, { path }: SessionRow, entry: SessionEntry): readonly MenuItem[] {
	const when = host.busy ? ", when the running turn has ended" : "";
	const goTo = (label: string, { id }: SessionEntry): MenuItem => ({
		label: `${label}${when}`,
		effect: choose({ action: "goto", path, entryId: id }),
	});
	if (isLeaf(session, entry.id)) return [{ label: "Back to pi, which continues here", effect: BACK_TO_PI }];
	// As in pi's own tree: a prompt is to be said again.
	const isAgain = isSaidAgain(session, entry);
	const answer = isAgain ? answerBelow(session, entry) : undefined;
	const here = goTo(isAgain ? beforeLabel(entry, "pi's editor") : "Continue from here", entry);
	if (answer !== undefined && isLeaf(session, answer.id))
		return [here, { label: "Back to pi, which continues after its answer", effect: BACK_TO_PI }];
	return [here, ...(answer === undefined ? [] : [goTo("Continue after its answer", answer)])];
}

/** The item that goes back to pi as it is, unless another item does; not in the overview of branches, where the end of one was chosen. */
function leafItem(state: State, session: Session, entry: SessionEntry): readonly MenuItem[] {
	const answer = isSaidAgain(session, entry) ? answerBelow(session, entry) : undefined;
	if (state.focus === "branches" || isLeaf(session, answer?.id ?? entry.id)) return [];
	const label = leafLabel(state, session, "Back to pi, which continues at the end");
	return label === undefined ? [] : [{ label, effect: BACK_TO_PI }];
}

/** Only a fork before a prompt can leave it out (pi 1.5.2). */
function isPrompt(entry: SessionEntry): boolean {
	return entry.type === "message" && entry.message.role === "user";
}

/** Cells of a title in a reference. */
const LONGEST_TITLE = 80;

/**
 * The text that would produce this entry if typed into pi's editor: a prompt, or a command with its "!" (pi 1.5.2: "!!" hides its
 * output from the model). Undefined for other entries.
 */
export function promptText(entry: SessionEntry): string | undefined {
	const fields = fieldsOf(entry);
	if (entry.type === "custom_message") return contentText(fields.content, "\n") || undefined;
	if (entry.type !== "message") return undefined;
	const message = fieldsOf(fields.message);
	if (message.role === "user") return contentText(message.content, "\n") || undefined;
	if (message.role !== "bashExecution") return undefined;
	return `${message.excludeFromContext === true ? "!!" : "!"}${textOf(message.command)}`;
}

/** A reference to a session or an entry, for agents and `pi-grove show`: `session <id>#<entry> "<title>" (<path>)`. */
export function referenceText(row: SessionRow, entryId?: string): string {
	const address = `${row.id}${entryId === undefined ? "" : `#${entryId}`}`;
	const title = cutText(sessionTitle(row), LONGEST_TITLE).replaceAll('"', "'");
	return sanitizeLine(["session", address, `"${title}"`, `(${row.path})`].filter(Boolean).join(" "));
}
