import { type Comment, NO_COMMENTS, sessionComments } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { CommentRequest } from "../../../changes/kinds/comment.ts";
import { changedSession } from "../../../changes/noted/marks.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { CODE_TAB_STOP } from "../../../conversation/render/code-lines.ts";
import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import { excerptOf, indexOfLine, placeName } from "../../../edits/review.ts";
import { numberOf } from "../../../edits/shown-lines.ts";
import { memoEach, memoLast } from "../../../shared/memo.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanLines } from "../../../ui/text/sanitize.ts";
import { quote } from "../../../ui/text/width.ts";
import { type CommentLines, openOverlay, type PromptOverlay, replaceTop, topOverlay } from "../state/overlays.ts";
import { type State, type Transition, transition } from "../state/state.ts";

/** The comments on lines of the open session. */
export function openedComments({ detail: { row }, marks }: State): readonly Comment[] {
	return row === undefined ? NO_COMMENTS : sessionComments(row, marks);
}

/** Opens the field for a comment on one of some lines (`at`: its index), or for the one that is there. */
export function openComment(state: State, asked: CommentLines, at: number): State {
	const prompt = promptFor(state, asked, at);
	return prompt === undefined ? state : openOverlay(state, prompt);
}

function topPrompt(state: State): PromptOverlay | undefined {
	const top = topOverlay(state);
	return top?.kind === "prompt" ? top : undefined;
}

/** Whether the open field is for a text of several lines. */
export function isLongPrompt(state: State): boolean {
	return topPrompt(state)?.isLong === true;
}

/** Whether the open field is that of a comment, and nothing was typed into it. */
export function canMoveComment(state: State): boolean {
	const { comments, value } = topPrompt(state) ?? {};
	return comments !== undefined && value?.past === undefined;
}

/** The same for the line above or below, as long as nothing is typed. */
export function moveComment(state: State, by: 1 | -1): State {
	const { comments } = topPrompt(state) ?? {};
	const prompt = comments && promptFor(state, comments.asked, comments.at + by);
	return prompt === undefined ? state : replaceTop(state, prompt);
}

function promptFor(state: State, asked: CommentLines, at: number): PromptOverlay | undefined {
	const [line, { row }] = [asked.lines[at], state.detail];
	if (line === undefined || row === undefined) return undefined;
	const comments = openedComments(state);
	const present =
		asked.path === undefined
			? comments.find((one) => one.entry === asked.entryOf(line) && one.lines[one.index] === line.text)
			: commentedLines(comments, asked.path, asked.lines).get(line)?.[0];
	const comment = present ?? newComment(asked, line);
	return { ...editPrompt(state, row, comment), comments: { asked, at } };
}

/** The field in which a comment is changed. */
export function editPrompt(state: State, row: SessionRow, comment: Comment): PromptOverlay {
	const { key, kind, lines, index, text } = comment;
	const sign = { same: " ", added: "+", removed: "-" }[kind];
	const code = lines.map((line, at): Line => {
		const isMeant = at === index;
		const tone = !isMeant ? "muted" : kind === "same" ? "text" : kind;
		return [
			span(isMeant ? "› " : "  ", "accent"),
			{ ...span(`${isMeant ? sign : " "} `, tone) },
			...cleanLines(line, CODE_TAB_STOP).map((text) => ({ text, tone, isOneRow: true }) as const),
		];
	});
	const isLow = state.size.rows < LEAST_ROWS;
	return {
		kind: "prompt",
		title: `Comment on ${placeName(comment, row.cwd) || "this line"}`,
		body: isLow ? code.slice(index, index + 1) : code,
		value: editedText(text),
		isLong: true,
		submit: (now, typed) => submitComment(now, row, { ...comment, text: typed }, key === "" ? undefined : text),
	};
}

/** With fewer rows only the line itself is shown above the field. */
const LEAST_ROWS = 16;

function newComment({ path, lines, entryOf }: CommentLines, line: DiffLine): Comment {
	const number = numberOf(line);
	const base = { key: "", text: "", atMs: 0, entry: entryOf(line), kind: kindOf(line) };
	if (path === undefined) return { ...base, lines: [line.text], index: 0 };
	const side = sideOf(lines, line.kind === "removed");
	const at = side.findIndex((one) => one.line === line);
	// What is left out between two lines is none of the excerpt.
	const near = side.filter((one, index) => (one.number ?? index) - (number ?? at) === index - at);
	const excerpt = excerptOf(
		near.map((one) => one.line.text),
		near.findIndex((one) => one.line === line),
	);
	return { ...base, path, line: number, ...excerpt };
}

function kindOf({ kind }: DiffLine): Comment["kind"] {
	return kind === "added" || kind === "removed" ? kind : "same";
}

/** The lines that a file had before, or has afterwards, with their numbers there. */
function sideOf(lines: readonly DiffLine[], isBefore: boolean) {
	return lines
		.filter(({ kind }) => kind === (isBefore ? "removed" : "added") || kind === "same")
		.map((line) => ({ line, number: isBefore ? line.before : numberOf(line) }));
}

function submitComment(state: State, row: SessionRow, comment: Comment, before: string | undefined): Transition {
	const isDeleted = comment.text.trim() === "";
	if (comment.text === before || (isDeleted && before === undefined)) return transition(state);
	const deed = isDeleted ? "delete" : before === undefined ? "write" : "change";
	const { sentMs: _, ...unsent } = comment;
	return transition(state, changeComments(row, deed, [{ ...unsent, atMs: state.now }], ""));
}

const DONE = { write: "Wrote", change: "Changed", delete: "Deleted", mark: "Marked" } as const;

/** Writes, changes or deletes comments of a session, or marks them; `as`: " as sent". */
export function changeComments(
	row: SessionRow,
	deed: keyof typeof DONE,
	comments: readonly Comment[],
	as: string,
): CommentRequest {
	const [only, second] = comments;
	const place = only === undefined || second !== undefined ? "" : placeName(only, row.cwd);
	const what = second === undefined ? "a comment" : formatCounted(comments.length, "comment");
	const rest = `${what} on ${quote(sessionTitle(row))}${place === "" ? "" : `, ${place}`}${as}`;
	const { id, file = "" } = changedSession(row);
	return {
		type: "comment",
		path: row.path,
		what: `${deed} ${rest}`,
		done: `${DONE[deed]} ${rest}`,
		changes: comments.map((comment) => ({
			...{ id, file, key: comment.key },
			comment: deed === "delete" ? null : comment,
		})),
	};
}

/** The comments on lines of a file that are shown, by the line. */
export function commentedLines(
	comments: readonly Comment[],
	path: string | undefined,
	lines: readonly DiffLine[],
): ReadonlyMap<DiffLine, readonly Comment[]> {
	return linesWith(lines)(comments, path);
}

const linesWith = memoEach((lines: readonly DiffLine[]) =>
	memoLast((comments: readonly Comment[], path: string | undefined) => {
		const places = new Map<DiffLine, Comment[]>();
		for (const comment of comments) {
			if (comment.path !== path) continue;
			const side = sideOf(lines, comment.kind === "removed");
			const at = indexOfLine(
				comment,
				side.map(({ line }) => line.text),
				(index) => side[index]?.number ?? 0,
			);
			const { line } = side[at ?? -1] ?? {};
			if (line !== undefined) places.set(line, [...(places.get(line) ?? []), comment]);
		}
		return places;
	}),
);
