import { isPinned } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { changedSession } from "../../../changes/noted/marks.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { span } from "../../../ui/text/line.ts";
import { type Key, onChosen, PANES } from "../../world/keys/key.ts";
import { chosenRows } from "../../world/list/marked.ts";
import { archiveOrBringBack } from "../../world/questions/ask.ts";
import { shareMenu } from "../../world/questions/share-menu.ts";
import { subjectRow } from "../../world/screen/menus.ts";
import { type PromptOverlay, withOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { tagPrompt } from "./tag-prompt.ts";

const LIST = ["list"] as const;

// biome-ignore format: a table
export const SEVERAL_KEYS: readonly Key[] = [
	{ id: "label", keys: [], contexts: LIST,
		help: "label the last entry of the session, or of each marked session",
		...onChosen("label", (state, rows) => withOverlay(state, labelEndsPrompt(rows))) },
	{ id: "export", keys: [], contexts: LIST,
		help: "save the session, or all marked sessions, as web pages or Markdown, with private data masked",
		...onChosen("save", (state, rows) => withOverlay(state, shareMenu(state, rows)), { where: "anywhere" }) },
];

function labelEndsPrompt(rows: readonly SessionRow[]): PromptOverlay {
	return {
		kind: "prompt",
		title: rows.length === 1 ? "Label the end of the session" : "Label the end of each session",
		body: [subjectRow(rows), [span("The label goes to the last entry. An empty text removes it.", "muted")]],
		value: editedText(""),
		submit: (state, label) =>
			transition(state, {
				type: "change-sessions",
				change: { type: "label", label },
				sessions: rows.map((row) => ({ row, uses: [] })),
			}),
	};
}

// biome-ignore format: a table
export const MARKS_KEYS: readonly Key[] = [
	{ id: "pin", name: "Pin {}, or unpin {}", synonyms: "star, favorite, keep on top", keys: [], contexts: PANES, isOn: arePinned,
		help: "pin the session to the top of the list, in every order, or unpin it",
		...onChosen("pin", pin, { refuse: withoutId, where: "anywhere" }) },
	{ id: "tags", name: "Tag {}…", synonyms: "tags, mark, category", keys: [], contexts: PANES, help: "add tags to the session, or remove them",
		...onChosen("tag", (state, rows) => withOverlay(state, tagPrompt(state, withIds(rows))), { refuse: withoutId, where: "anywhere" }) },
	{ id: "archive", name: "Archive {}, or bring back {}", synonyms: "hide, put away, done, or unarchive, restore", keys: [], contexts: PANES, isOn: isArchived, help: "move the session to the archive, or bring it back",
		...onChosen("archive", archiveOrBringBack) },
];

/** Without files that have no session id: a mark names it. */
function withIds(rows: readonly SessionRow[]): readonly SessionRow[] {
	return rows.filter(({ id }) => id !== "");
}

function arePinned(state: State): boolean {
	const rows = withIds(chosenRows(state));
	return rows.length > 0 && rows.every((row) => isPinned(row, state.marks));
}

function isArchived(state: State): boolean {
	const rows = chosenRows(state);
	return rows.length > 0 && rows.every(({ archived }) => archived === true);
}

function pin(state: State, rows: readonly SessionRow[]): Transition {
	const pinned = withIds(rows);
	const on = !arePinned(state);
	const changes = pinned.map((row) => ({ ...changedSession(row), on }));
	return transition(state, { type: "mark", paths: pinned.map(({ path }) => path), changes });
}

function withoutId({ id }: SessionRow): string | undefined {
	return id === "" ? "This file has no session id, which pins and tags need" : undefined;
}
