import { runNameOf } from "../../../catalog/families/run-name.ts";
import { type SessionRow, whyNotASession } from "../../../catalog/model/row.ts";
import type { FurtherNotes } from "../../../changes/engine/ask.ts";
import { guard } from "../../../changes/guard/guard.ts";
import { isLeaf } from "../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { basename } from "../../../shared/paths.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/line.ts";
import { isPicking, type Key, onChosen, onEntry, onSession, PANES } from "../../world/keys/key.ts";
import { isHeading } from "../../world/list/headings.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { areMarkedChosen } from "../../world/list/marked.ts";
import { selectedRow, selectList } from "../../world/list/select-list.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { askToChange, questionMenu } from "../../world/questions/ask.ts";
import { findHomeFor } from "../../world/questions/bring-menus.ts";
import { forwardToEnd, whyNoForward } from "../../world/questions/forward.ts";
import { archivedQuestion, resumeMenu } from "../../world/questions/resume-question.ts";
import { sentence, titleRow } from "../../world/screen/menus.ts";
import { keyLabel } from "../../world/state/binding.ts";
import { isOpenInHost } from "../../world/state/catalog-state.ts";
import { choose, type ResumeRequest } from "../../world/state/effect.ts";
import { withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { filesPlan } from "./go-on-words.ts";
import { askAboutOpen } from "./host-keys.ts";
import { branchMenu, goOnMenu } from "./resume-menus.ts";

const LIST = ["list"] as const;
const TREE_AND_READER = ["tree", "reader"] as const;

/** A session of another machine is resumed there. */
const RESUMED = { refuse: refuseOther, where: "anywhere" } as const;
const TRASH = onChosen("delete", (state, rows) => askToChange(state, { type: "trash" }, rows, { more: hiddenNotes }));
const IN_WINDOW = onSession(
	"resume",
	(state, row) => resumeBy(state, { ...requestFor(state, row), inWindow: true }, row),
	{ refuse: refuseOther },
);

function whyNoWindow(state: State): string | undefined {
	const row = selectedRow(state);
	if (row !== undefined && isOpenInHost(state, row.path)) return "This session is already open in pi";
	if (state.environment.tmux === true) return IN_WINDOW.needs(state);
	return "Only tmux can open a new window for a session, and this terminal is not in tmux";
}

// biome-ignore format: a table
export const SESSION_KEYS: readonly Key[] = [
	{ id: "resume", keys: ["enter"], contexts: PANES, short: "choose", pi: "tui.select.confirm", within: "pick",
		help: "choose the session, with --json also the entry; nothing is asked or written", condition: "in pi-grove pick", ...onSession("choose", resume, RESUMED), acts: "cursor" },
	{ id: "resume", keys: ["enter"], contexts: [...TREE_AND_READER, "branches"], short: "resume …", pi: "tui.select.confirm",
		when: (state) => entryBeforeLeaf(state) !== undefined, help: "choose where to resume from", condition: "on an entry other than the end",
		...onSession("resume", resume, RESUMED), acts: "cursor" },
	{ id: "resume", keys: ["enter"], contexts: PANES, short: "resume, stops the turn", pi: "tui.select.confirm", within: "pi",
		when: ({ environment: { host } }) => host?.busy === true, condition: "while a turn is running in pi",
		help: "switch pi to this session; asks first, since this stops the turn",
		...onSession("resume", resume, RESUMED), acts: "cursor" },
	{ id: "resume", name: "Resume {}", synonyms: "continue, open in pi, start pi, go on", keys: ["enter"], contexts: PANES, short: "resume", pi: "tui.select.confirm",
		help: "resume the session in pi; in /grove, switch pi to it", ...onSession("resume", resume, RESUMED), acts: "cursor" },
	{ id: "resume-in-window", name: "Resume {} in a new tmux window", synonyms: "tab, split", keys: ["alt+enter"], contexts: PANES,
		help: "resume in a new tmux window, and stay here", condition: "in tmux", ...IN_WINDOW, needs: whyNoWindow, acts: "cursor" },
	{ id: "branch", name: "Branch {}…", synonyms: "fork, clone, copy, duplicate, new session, bring here", keys: ["alt+n"], contexts: PANES, pi: "app.session.fork",
		help: "branch or fork into a new session; copy a session of another place here", ...onSession("branch from", askHowToBranch, { where: "anywhere" }), acts: "entry" },
	{ id: "files-at", name: "Files as they were here…", synonyms: "checkout, restore, worktree, rewind, take back, put back, snapshot, code, version", keys: [], contexts: [...TREE_AND_READER, "branches"],
		help: "make a directory with the files as they were here, or take back what was changed since, after showing what is known of them", ...onEntry("check out", askForFiles, "here") },
	{ id: "rename", name: "Rename {}…", synonyms: "name, title", keys: ["ctrl+r"], contexts: PANES, pi: "app.session.rename",
		help: "rename the session; an empty text removes the name", ...onSession("rename", askForName) },
	{ id: "forward", name: "Continue from the end again", synonyms: "rewound, moved end, repair", keys: [], contexts: PANES,
		help: "make pi continue from the end of the session again", condition: "if a name or a label has rewound the session", acts: "session",
		needs: (state) => whyNoForward(state), run: (state) => forwardToEnd(state) },
	{ id: "delete", keys: ["ctrl+d"], contexts: LIST, short: "delete", pi: "app.session.delete", when: areMarkedChosen,
		help: "move all marked sessions to the trash, after asking", condition: "if sessions are marked", ...TRASH },
	{ id: "delete", name: "Move {} to trash…", synonyms: "delete, remove, erase", keys: ["ctrl+d"], contexts: LIST, pi: "app.session.delete",
		help: "move the session to the trash, after asking", ...TRASH },
	{ id: "delete", keys: [], contexts: [...TREE_AND_READER, "branches"],
		// Where pi has no such key, nobody expects that the key and Enter delete.
		help: "move the session to the trash; “Cancel” is preselected",
		...onSession("delete", (state, row) => askToChange(state, { type: "trash" }, [row], { atCancel: true })) },
];

// biome-ignore format: a table
export const LABEL_KEYS: readonly Key[] = [
	{ id: "label", name: "Label {}…", synonyms: "bookmark, flag, tag", keys: ["alt+l"], contexts: [...TREE_AND_READER, "branches"], pi: "app.tree.editLabel",
		help: "label the entry; an empty text removes the label", ...onEntry("label", askForLabel, "here") },
];

/** The entry under the cursor, unless it is the leaf, where pi would continue anyway; none in the list. */
function entryBeforeLeaf(state: State): SessionEntry | undefined {
	if (state.focus === "list") return undefined;
	const entry = entryUnderCursor(state);
	const session = state.detail.session;
	return entry !== undefined && session !== undefined && !isLeaf(session, entry.id) ? entry : undefined;
}

function resume(state: State, row: SessionRow): Transition {
	return resumeBy(state, requestFor(state, row), row);
}

function requestFor({ environment }: State, row: SessionRow): ResumeRequest {
	return { path: row.path, cwd: row.cwd || environment.cwd, shown: { row, uses: [] } };
}

function resumeBy(state: State, request: ResumeRequest, row: SessionRow): Transition {
	const entry = entryBeforeLeaf(state);
	if (isPicking(state) && !request.inWindow) {
		const { path, cwd } = request;
		const chosen = entry === undefined ? {} : { entryId: entry.id };
		return transition(state, choose({ action: "resume", path, cwd, ...chosen }));
	}
	if (row.place !== undefined) return resumeThere(state, row, entry);
	if (row.archived) return withOverlay(state, questionMenu(state, archivedQuestion(row, state.environment.cwd)));
	if (entry !== undefined) return withOverlay(state, goOnMenu(state, row, request, entry, "resume"));
	const effect = { type: "resume", request } as const;
	const { decision, uses } = guard("resume", state.catalog.live, row);
	if (decision !== "free")
		return withOverlay(state, resumeMenu(state, effect, { row, uses }), {
			type: "refresh-live",
			path: row.path,
		});
	return transition(state, effect);
}

/** Resumes a session of another machine there; the pi-grove of that machine asks all questions. */
function resumeThere(state: State, { path, place }: SessionRow, entry: SessionEntry | undefined): Transition {
	if (state.environment.host !== undefined) {
		const text = `This pi cannot open a session of ${place}: bring it here first, or resume it from a shell`;
		return transition(say(state, text, "warning"));
	}
	return transition(state, { type: "resume-there", path, entryId: entry?.id });
}

function askHowToBranch(state: State, row: SessionRow): Transition {
	if (row.place !== undefined) return transition(state, findHomeFor(state, row));
	const entry = entryUnderCursor(state);
	if (state.focus === "list") return withOverlay(state, branchMenu(state, row, hitUnderCursor(state)));
	if (entry === undefined || row.archived === true) return withOverlay(state, branchMenu(state, row, undefined));
	if (isOpenInHost(state, row.path)) return askAboutOpen(state, "branch");
	return withOverlay(state, goOnMenu(state, row, requestFor(state, row), entry, "branch"));
}

/** Matches of the list's query in the session under the cursor; undefined without a query. */
function hitUnderCursor(state: State): SessionEntry | undefined {
	const { tree, detail } = state;
	const { session } = detail;
	const isOfQuery = searchOf(state).query.terms.length > 0 && tree.hits?.path === session?.path;
	return isOfQuery && tree.hits?.shown !== undefined ? session?.tree.byId.get(tree.hits.shown) : undefined;
}

/** Entries of a session from which on finding out about its files takes a while. */
const MANY_ENTRIES = 20_000;

function askForFiles(state: State, entry: SessionEntry): Transition {
	const [row, session] = [selectedRow(state), state.detail.session];
	if (row === undefined || session === undefined) return transition(state);
	const isLong = session.entries.length >= MANY_ENTRIES;
	const waiting = isLong ? say(state, "Finding out what the files were …", "muted") : state;
	return transition(waiting, filesPlan(state, row, session, entry));
}

function isRunByName({ run, name = "" }: SessionRow): boolean {
	return run !== undefined && run.runId === undefined && !run.isFork && runNameOf(name)?.agentId !== undefined;
}

function askForName(state: State, row: SessionRow): Transition {
	return withOverlay(state, {
		kind: "prompt",
		title: "Rename session",
		body: [
			titleRow(sessionTitle({ ...row, name: undefined }), "muted"),
			...(isRunByName(row)
				? sentence(state, "Only its name links this run to its session: renamed, it becomes a session of its own.")
				: []),
		],
		value: editedText(row.name ?? ""),
		submit: (now, name) => transition(now, { type: "rename", path: row.path, name }),
	});
}

/** Says how many of several sessions to delete are not in the list as it is shown. */
function hiddenNotes(state: State): FurtherNotes {
	return (rows) => {
		const listedPaths = new Set(selectList(state).items.flatMap((item) => (isHeading(item) ? [] : [item.row.path])));
		const hidden = rows.length === 1 ? 0 : rows.filter(({ path }) => !listedPaths.has(path)).length;
		const are = hidden === 1 ? "is" : "are";
		return hidden === 0 ? [] : [{ text: `${formatCount(hidden)} of them ${are} not listed now.`, tone: "warning" }];
	};
}

/** Refuses files that pi cannot open: pi would replace the browser and end with an error. Also refuses where a filter hides all rows. */
function refuseOther(state: State, row: SessionRow): string | undefined {
	const reason = whyNotASession(row);
	if (reason === undefined) {
		return whyNowhere(state);
	}
	if (row.place !== undefined) return `${basename(row.path)} is not a pi session: ${reason}`;
	const key = state.environment.keymap.find(({ id, contexts }) => id === "delete" && contexts.includes(state.focus))
		?.keys[0];
	const trash = key === undefined ? "" : `; ${keyLabel(key)} moves it to the trash`;
	return `${basename(row.path)} is not a pi session: ${reason} It is left as it is${trash}.`;
}

/** Why there is nothing to resume from, although a session is open: a filter hides all rows of its pane. */
function whyNowhere(state: State): string | undefined {
	if (state.focus === "list" || entryUnderCursor(state) !== undefined) return undefined;
	if (state.focus === "branches") return "There is no branch to resume from";
	const { tree, detail } = state;
	// pi may open a session that cannot be read here, or is still being read.
	const session = detail.session;
	if (session === undefined || session.entries.length === 0) return undefined;
	return tree.query.text === ""
		? "The filter shows no entry to resume from"
		: "No entry matches, so there is nothing to resume from: esc clears the text";
}

function askForLabel(state: State, entry: SessionEntry): Transition {
	const session = state.detail.session;
	if (session === undefined) return transition(state);
	return withOverlay(state, {
		kind: "prompt",
		title: "Label entry",
		body: [[span("An empty text removes the label.", "muted")]],
		value: editedText(session.tree.labels.get(entry.id)?.text ?? ""),
		submit: (now, label) => transition(now, { type: "label", path: session.path, entryId: entry.id, label }),
	});
}
