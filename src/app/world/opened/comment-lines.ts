import { type Comment, commentedTexts, NO_COMMENTS, sessionComments } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { CommentRequest } from "../../../changes/kinds/comment.ts";
import { changedSession } from "../../../changes/noted/marks.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { CODE_TAB_STOP } from "../../../conversation/render/code-lines.ts";
import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import { excerptOf, indicesOfLines, placeName } from "../../../edits/review.ts";
import { shownNumber } from "../../../edits/shown-lines.ts";
import { memoEach, memoLast } from "../../../shared/memo.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatCounted, withoutMiddle } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanLines } from "../../../ui/text/sanitize.ts";
import { quote } from "../../../ui/text/width.ts";
import { keyOfCommand } from "../state/binding.ts";
import {
	type CommentLines,
	type CommentRange,
	openOverlay,
	type PromptOverlay,
	pagesOf,
	replaceTop,
	topOverlay,
} from "../state/overlays.ts";
import { type State, type Transition, transition } from "../state/state.ts";

export function openedComments({ detail: { row }, marks }: State): readonly Comment[] {
	return row === undefined ? NO_COMMENTS : sessionComments(row, marks);
}

/** Opens the field for a comment on one of some lines (`at`: its index), or for the one that is there. */
export function openComment(state: State, asked: CommentLines, at: number): State {
	const prompt = promptAt(state, asked, at);
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

/** Whether the open field is that of a comment whose lines can be chosen. */
export function isOnLines(state: State): boolean {
	return topPrompt(state)?.comments !== undefined;
}

/** Whether nothing was typed into it, too. */
export function canMoveComment(state: State): boolean {
	return isOnLines(state) && topPrompt(state)?.value.past === undefined;
}

/** The same for the line above or below, as long as nothing is typed. */
export function moveComment(state: State, by: 1 | -1): State {
	const range = topPrompt(state)?.comments;
	if (range === undefined) return state;
	const { asked, at, to } = range;
	const next = by + (by === 1 ? Math.max(at, to) : Math.min(at, to));
	const prompt = promptAt(state, asked, next);
	return prompt === undefined ? state : replaceTop(state, prompt);
}

/** The last chosen line is the one above or below, if that follows in the file; what is typed stays. */
export function extendComment(state: State, by: 1 | -1): State {
	const { comments: range, value } = topPrompt(state) ?? {};
	const { row } = state.detail;
	if (range === undefined || value === undefined || row === undefined) return state;
	const { lines } = range.asked;
	const side = sideOf(lines, lines[range.at]?.kind === "removed");
	const last = side.findIndex(({ line }) => line === lines[range.to]);
	const next = side[last + by];
	if (next === undefined || (next.number ?? by) - (side[last]?.number ?? 0) !== by) return state;
	const longer = { ...range, to: lines.indexOf(next.line) };
	return replaceTop(state, { ...promptFor(state, row, longer), value });
}

function promptAt(state: State, asked: CommentLines, at: number): PromptOverlay | undefined {
	const [line, { row }] = [asked.lines[at], state.detail];
	if (line === undefined || row === undefined) return undefined;
	const commentOn = commentFinder(openedComments(state), asked);
	const present = commentOn(line);
	if (present === undefined) return promptFor(state, row, { asked, at, to: at, present });
	const isOn = (one: DiffLine): boolean => commentOn(one) === present;
	const range = { asked, at: asked.lines.findIndex(isOn), to: asked.lines.findLastIndex(isOn), present };
	return { ...editPrompt(state, row, present), comments: range };
}

function promptFor(state: State, row: SessionRow, range: CommentRange): PromptOverlay {
	const { present } = range;
	return { ...editPrompt(state, row, { ...newComment(range), key: present?.key ?? "" }, present), comments: range };
}

/** The first comment on each line. */
function commentFinder(
	comments: readonly Comment[],
	{ path, names = path === undefined ? [] : [path], lines, entryOf }: CommentLines,
): (line: DiffLine) => Comment | undefined {
	if (path !== undefined) return (line) => commentedLines(comments, names, lines).get(line)?.[0]?.comment;
	return (line) =>
		comments.find(
			(one) => one.path === undefined && one.entry === entryOf(line) && commentedTexts(one).includes(line.text),
		);
}

/** The field in which a comment is changed. `before`: as it was; undefined for a new one. */
export function editPrompt(
	state: State,
	row: SessionRow,
	comment: Comment,
	before: Comment | undefined = comment.key === "" ? undefined : comment,
): PromptOverlay {
	const { kind, lines, index, count = 1, text } = comment;
	const sign = { same: " ", added: "+", removed: "-" }[kind];
	const code = lines.map((line, at): Line => {
		const isMeant = at >= index && at < index + count;
		const tone = !isMeant ? "muted" : kind === "same" || count > 1 ? "text" : kind;
		return [
			span(isMeant ? "› " : "  ", "accent"),
			{ ...span(`${isMeant && count === 1 ? sign : " "} `, tone) },
			...cleanLines(line, CODE_TAB_STOP).map((text) => ({ text, tone, isOneRow: true }) as const),
		];
	});
	const isLow = state.size.rows < LEAST_ROWS;
	return {
		kind: "prompt",
		title: `${before === undefined ? "Comment" : "Change comment"} on ${placeName(comment, row.cwd) || (count === 1 ? "this line" : formatCounted(count, "line"))}`,
		body: isLow
			? code.slice(index, index + 1)
			: withoutMiddle(code, MOST_CODE, (words) => [span(`  ${words}`, "muted")]),
		value: editedText(text),
		isLong: true,
		submit: (now, typed) => submitComment(now, row, { ...comment, text: typed }, before),
	};
}

/** Rows of code above the field. */
const MOST_CODE = 12;
/** With fewer rows only the line itself is shown above the field, and a message is short. */
const LEAST_ROWS = 16;

function newComment({ asked: { path, lines, entryOf }, at, to }: CommentRange): Comment {
	const side = sideOf(lines, lines[at]?.kind === "removed");
	const ends = [at, to].map((end) => side.findIndex(({ line }) => line === lines[end]));
	const [from, last] = [Math.min(...ends), Math.max(...ends)];
	const meant = side.slice(from, last + 1).map(({ line }) => line);
	// What a range is about is what changed in it.
	const line = meant.find(({ kind }) => kind !== "same") ?? meant[0] ?? { kind: "same", text: "" };
	const kind = line.kind === "added" || line.kind === "removed" ? line.kind : "same";
	const range = meant.length === 1 ? {} : { count: meant.length };
	const base = { key: "", text: "", atMs: 0, entry: entryOf(line), kind, ...range } as const;
	if (path === undefined) return { ...base, lines: meant.map(({ text }) => text), index: 0 };
	const number = side[from]?.number;
	// What is left out between two lines is none of the excerpt.
	const near = side.filter((one, index) => (one.number ?? index) - (number ?? from) === index - from);
	const excerpt = excerptOf(
		near.map((one) => one.line.text),
		near.findIndex((one) => one.line === meant[0]),
		meant.length,
	);
	return { ...base, path, line: number, ...excerpt };
}

/** The lines that a file had before, or has afterwards, with their numbers there. */
function sideOf(lines: readonly DiffLine[], isBefore: boolean) {
	return lines
		.filter(({ kind }) => kind === (isBefore ? "removed" : "added") || kind === "same")
		.map((line) => ({ line, number: isBefore ? line.before : shownNumber(line) }));
}

function submitComment(state: State, row: SessionRow, comment: Comment, before: Comment | undefined): Transition {
	const isDeleted = comment.text.trim() === "";
	const isSame = comment.text === before?.text && comment.line === before.line && comment.count === before.count;
	if (isSame || (isDeleted && before === undefined)) return transition(state);
	const deed = isDeleted ? "delete" : before === undefined ? "write" : "change";
	const { sentMs: _, ...unsent } = comment;
	const request = changeComments(row, deed, [{ ...unsent, atMs: state.now }], "");
	const key = keyOfCommand(state.environment.keymap, "comments");
	// A small screen needs its rows for the comment.
	const hasRoom = state.size.rows >= LEAST_ROWS;
	const isToSend = hasRoom && deed !== "delete" && key !== undefined && !pagesOf(state).includes("review");
	return transition(state, isToSend ? { ...request, done: `${request.done} · ${key} to send` } : request);
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

/** A comment on a line of its own; `isLast`: no later line is its. */
interface LineComment {
	readonly comment: Comment;
	readonly isLast: boolean;
}

/** The comments on lines of a file that are shown, by the line. `names`: the paths that the file had. */
export function commentedLines(
	comments: readonly Comment[],
	names: readonly string[],
	lines: readonly DiffLine[],
): ReadonlyMap<DiffLine, readonly LineComment[]> {
	return linesWith(lines)(comments, names);
}

const linesWith = memoEach((lines: readonly DiffLine[]) =>
	memoLast((comments: readonly Comment[], names: readonly string[]) => {
		const places = new Map<DiffLine, LineComment[]>();
		for (const comment of comments) {
			if (comment.path === undefined || !names.includes(comment.path)) continue;
			const side = sideOf(lines, comment.kind === "removed");
			const texts = side.map(({ line }) => line.text);
			const indices = indicesOfLines(comment, texts, (index) => side[index]?.number ?? 0);
			for (const at of indices) {
				const { line } = side[at] ?? {};
				const isLast = at === indices.at(-1);
				if (line !== undefined) places.set(line, [...(places.get(line) ?? []), { comment, isLast }]);
			}
		}
		return places;
	}),
);
