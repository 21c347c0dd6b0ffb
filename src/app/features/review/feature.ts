import { type Comment, isUnsent, sessionComments } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { change, isPicking, type Key, onSelected, onSession, openPage } from "../../world/keys/key.ts";
import {
	canMoveComment,
	changeComments,
	editPrompt,
	extendComment,
	isOnLines,
	moveComment,
	openedComments,
} from "../../world/opened/comment-lines.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { CANCEL, menu, titleRow } from "../../world/screen/menus.ts";
import { isOpenInHost } from "../../world/state/catalog-state.ts";
import { type MenuItem, type MenuOverlay, openOverlay, pagesOf } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import type { ReviewEffect } from "./effects/review-effects.ts";
import { chosenComments, PLACED, REVIEW, REVIEW_PAGE, selectedComment } from "./review-page.ts";

const HERE = ["review"] as const;
const PROMPT = ["prompt"] as const;
const OPENED = ["tree", "reader", "branches", "changes"] as const;
const NO_COMMENT = "There is no comment here";
const NOTHING_WAITS = "No comment waits to be sent: space marks those to send again";

// biome-ignore format: a table
const REVIEW_KEYS: readonly Key[] = [
	{ id: "comments", keys: [], contexts: ["changes"], acts: "session", short: "comments", when: waits, condition: "with comments to send",
		help: "list your comments, and send them to the agent", run: change(openReview) },
	{ id: "comments", name: "Comments of the session", synonyms: "review, notes, feedback, send, prompt", keys: [], contexts: OPENED, acts: "session",
		help: "list your comments on lines of the session, and send them to its agent", needs: needsComments, run: change(openReview) },
	{ id: "comments", keys: [], contexts: ["list"], help: "open the session, and list your comments on its lines",
		...onSession("look at", (state, { path }) => transition(goToTree(state, path, openReview)), { refuse: whyNoComments, where: "anywhere" }) },
	{ id: "go-to-line", keys: ["enter", "right"], contexts: HERE, short: "go to", help: "go to the entry that shows the line, in the tree; back leads here again",
		...onSelected(selectedComment, NO_COMMENT, goToLine) },
	{ id: "send-comments", name: "Send the comments…", synonyms: "review, prompt, pi, agent, save, mark as sent", keys: [], contexts: HERE, short: "send", help: "send the marked comments, or all that wait, as one prompt: to the session, a new one, the clipboard or a file",
		...onSelected(chosenOrNone, NOTHING_WAITS, (state, comments) => openOverlay(state, sendMenu(state, comments))) },
	{ id: "comment", keys: [], contexts: HERE, short: "edit", help: "change the comment; an empty text deletes it",
		...onSelected(selectedComment, NO_COMMENT, editComment) },
	{ id: "delete-comments", name: "Delete the comment", synonyms: "remove", keys: ["ctrl+d"], contexts: HERE, short: "delete", pi: "app.session.delete", help: "delete the comment, or all marked comments",
		...onSelected(markedOrSelected, NO_COMMENT, deleteComments) },
	{ id: "copy-comment", keys: [], contexts: HERE, help: "copy the comment with its line, as a prompt",
		...onSelected(selectedComment, NO_COMMENT, (state, comment) => copyComments(state, [comment])) },
	{ id: "copy-comments", keys: [], contexts: HERE, help: "copy the marked comments, or all that wait, as one prompt",
		...onSelected(chosenOrNone, NOTHING_WAITS, copyComments) },
	{ id: "other-line", keys: ["up"], contexts: PROMPT, when: canMoveComment, short: "other line", help: "to the line above, or below", condition: "in a comment, before anything is typed", run: change((state) => moveComment(state, -1)) },
	{ id: "other-line", keys: ["down"], contexts: PROMPT, when: canMoveComment, help: "to the line above, or below", condition: "in a comment, before anything is typed", run: change((state) => moveComment(state, 1)) },
	{ id: "comment-lines", keys: ["shift+up"], contexts: PROMPT, when: isOnLines, help: "also on the next line, or one line less", condition: "in a comment", run: change((state) => extendComment(state, -1)) },
	{ id: "comment-lines", keys: ["shift+down"], contexts: PROMPT, when: isOnLines, short: "more lines", help: "also on the next line, or one line less", condition: "in a comment", run: change((state) => extendComment(state, 1)) },
];

function waits(state: State): boolean {
	return openedComments(state).some(isUnsent);
}

function needsComments(state: State): string | undefined {
	const { row, session } = state.detail;
	return row === undefined || session === undefined ? "There is no session to look at" : whyNoComments(state, row);
}

function whyNoComments({ marks }: State, row: SessionRow): string | undefined {
	return sessionComments(row, marks).length > 0 ? undefined : "No line of this session has a comment: c writes one";
}

/** Where the lines are is found out again: files may have changed since. It leads back to the page on which the comments were made. */
function openReview(state: State): State {
	return openPage(PLACED.renew(state), ...pagesOf(state).filter((kind) => kind !== "review"), "review");
}

function goToLine(state: State, { entry }: Comment): State {
	return { ...atEntry(state, entry), focus: "tree", overlays: [] };
}

function editComment(state: State, comment: Comment): State {
	const { row } = state.detail;
	return row === undefined ? state : openOverlay(state, editPrompt(state, row, comment));
}

function markedOrSelected(state: State): readonly Comment[] | undefined {
	const comment = selectedComment(state);
	const isMarked = REVIEW.of(state).marks.marked.size > 0;
	return isMarked ? chosenComments(state) : comment && [comment];
}

function chosenOrNone(state: State): readonly Comment[] | undefined {
	const comments = chosenComments(state);
	return comments.length === 0 ? undefined : comments;
}

function deleteComments(state: State, comments: readonly Comment[]): Transition {
	const { row } = state.detail;
	return row === undefined ? transition(state) : transition(state, changeComments(row, "delete", comments, ""));
}

function copyComments(state: State, comments: readonly Comment[]): Transition {
	const effect = reviewEffect(state, comments, "clipboard");
	return effect === undefined ? transition(state) : transition(state, { ...effect, sent: undefined });
}

function reviewEffect(
	state: State,
	comments: readonly Comment[],
	to: ReviewEffect["to"],
	words = "",
): ReviewEffect | undefined {
	const { row, session } = state.detail;
	if (row === undefined || session === undefined) return undefined;
	const sentMs = state.now;
	const sent = changeComments(
		row,
		"mark",
		comments.map((comment) => ({ ...comment, sentMs })),
		" as sent",
	);
	const isHere = row.place === undefined && row.cwd !== "";
	const cwd = isHere ? row.cwd : state.environment.cwd;
	return { type: "send-review", to, session, row, comments, words, sent, cwd };
}

/** Asks where the comments go. `words`: what is said before them. */
function sendMenu(state: State, comments: readonly Comment[], words = ""): MenuOverlay {
	const items = waysOf(state, comments, words);
	const body = [titleRow(sanitizeLine(words === "" ? "One prompt, with each line as it is now" : words), "muted")];
	return menu(`Send ${formatCounted(comments.length, "comment")}`, body, { items: [...items, CANCEL] });
}

function waysOf(state: State, comments: readonly Comment[], words: string): readonly MenuItem[] {
	const to = (where: ReviewEffect["to"], label: string): readonly MenuItem[] => {
		const effect = reviewEffect(state, comments, where, words);
		return effect === undefined ? [] : [{ label, effect }];
	};
	const { row } = state.detail;
	const { host, home } = state.environment;
	const marking = reviewEffect(state, comments, "file");
	const canResume = row?.place === undefined && row?.archived !== true && !isPicking(state);
	const isOpen = row !== undefined && isOpenInHost(state, row.path);
	const stops = host?.busy === true ? ": stops the running turn" : "";
	return [
		...(host !== undefined && isOpen ? to("editor", "Put the review into pi's editor") : []),
		...(canResume && !isOpen
			? to(
					"session",
					host === undefined
						? "Resume the session with the review"
						: `Switch pi to the session, with the review in its editor${stops}`,
				)
			: []),
		...(host === undefined && !isPicking(state)
			? to("new", `New session with the review, in ${shortenHome(marking?.cwd ?? "", home)}`)
			: []),
		...to("clipboard", "Copy the review, to send it yourself"),
		...to("file", "Save the review as Markdown"),
		{ label: "Begin with words of your own…", change: (now) => askForWords(now, comments, words) },
		...(marking?.sent === undefined ? [] : [{ label: "Only mark as sent", effect: marking.sent }]),
	];
}

function askForWords(state: State, comments: readonly Comment[], words: string): State {
	return openOverlay(state, {
		kind: "prompt",
		title: "Say first",
		body: [],
		value: editedText(words),
		isLong: true,
		submit: (now, typed) => transition(openOverlay(now, sendMenu(now, comments, typed))),
	});
}

export const REVIEW_FEATURE: Feature = {
	page: REVIEW_PAGE,
	keys: { section: "Comments", keys: REVIEW_KEYS },
	on: {},
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly review: true;
	}
}
