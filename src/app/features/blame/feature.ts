import type { LineEdit } from "../../../edits/blame.ts";
import type { ShownLine } from "../../../edits/shown-lines.ts";
import { change, type Key, onSelected } from "../../world/keys/key.ts";
import { openedBlame } from "../../world/opened/blame-lines.ts";
import { openComment } from "../../world/opened/comment-lines.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { closeOverlay, pageOf, replaceTop } from "../../world/state/overlays.ts";
import { type State, transition } from "../../world/state/state.ts";
import { BLAME, type BlamedNow, blamedNow, turnOfEdit } from "./blame-state.ts";

const HERE = ["blame"] as const;

// biome-ignore format: a table
const BLAME_KEYS: readonly Key[] = [
	{ id: "go-to-turn", keys: ["enter"], contexts: HERE, short: "go to that turn", help: "go to where the line was written; if that is here, to the prompt",
		...onSelected(withEdit, "No session is known to have written this line", goToTurn) },
	{ id: "open-commit", keys: [], contexts: HERE, short: "open the commit", help: "show the commit in the pager of Git",
		...onSelected(withCommit, "No commit of this line is known", (state, { commit, repository }) =>
			transition(state, { type: "show-commit", repository, hash: commit.hash })) },
	{ id: "next-candidate", keys: ["tab"], contexts: HERE, short: "next candidate", when: (state) => (blamedNow(state)?.author?.edits.length ?? 0) > 1,
		help: "to the next session that may have written the line", condition: "where several may have", run: change(nextCandidate) },
	{ id: "comment", keys: [], contexts: HERE, short: "comment", help: "write a comment on the line", run: change(commentBlamed) },
	{ id: "close-blame", keys: [], contexts: HERE, help: "close", run: change(closeOverlay) },
];

function withEdit(state: State) {
	const blamed = blamedNow(state);
	return blamed?.edit === undefined ? undefined : { ...blamed, edit: blamed.edit };
}

function withCommit(state: State) {
	const { commit, repository } = blamedNow(state) ?? {};
	return commit === undefined || repository === undefined ? undefined : { commit, repository };
}

/** Goes to the edit that wrote the line. What is read already is no place to go to: from there it is the prompt. */
function goToTurn(state: State, blamed: BlamedNow & { readonly edit: LineEdit }): State {
	const { edit, isHere, session } = blamed;
	const closed = closeOverlay(state);
	const id = isHere ? (turnOfEdit(blamed, edit)?.promptId ?? edit.entryId) : edit.entryId;
	const place = (now: State): State => (id === "" ? now : atEntry(now, id));
	if (edit.session !== session.path) return goToTree(closed, edit.session, place);
	return pageOf(closed) === undefined ? place(closed) : goToTree(closed, edit.session, place);
}

function commentBlamed(state: State): State {
	const { asked, at } = openedBlame(state) ?? {};
	if (asked === undefined || at === undefined) return state;
	const entryOf = (line: ShownLine): string => line.addedBy ?? asked.last;
	return openComment(closeOverlay(state), { path: asked.path, lines: asked.lines, entryOf }, at);
}

function nextCandidate(state: State): State {
	const overlay = openedBlame(state);
	const count = blamedNow(state)?.author?.edits.length ?? 0;
	if (overlay === undefined || count === 0) return state;
	return replaceTop(state, { ...overlay, candidate: (overlay.candidate + 1) % count });
}

export const BLAME_FEATURE: Feature = {
	on: {},
	keys: { section: "Who wrote a line", keys: BLAME_KEYS },
	steps: { facts: [BLAME] },
};
