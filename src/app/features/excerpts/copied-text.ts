import { fileEditOf } from "../../../conversation/blocks/file-edit.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import { type EntryKind, entryKind } from "../../../conversation/entries/entry-kind.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { stepOf } from "../../../conversation/entries/step.ts";
import { callOf } from "../../../conversation/entries/tool-call.ts";
import { excerptEntries } from "../../../conversation/markdown/excerpt.ts";
import { entryPlainText } from "../../../conversation/markdown/plain-text.ts";
import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import type { ReaderRow } from "../../../conversation/terminal/piece.ts";
import { memoLast } from "../../../shared/memo.ts";
import { fieldsOf } from "../../../store/format/fields.ts";
import { contentText } from "../../../store/format/message.ts";
import { timeOf } from "../../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { pathTo } from "../../../store/tree/session-table.ts";
import { formatCounted, formatTime } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { currentIndex, RENDERERS, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import type { Effect } from "../../world/state/effect.ts";
import type { CopiedRows } from "../../world/state/opened-state.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

export function copying(state: State, effect: Effect, copied: CopiedRows): Transition {
	return transition({ ...state, reader: { ...state.reader, copied } }, effect);
}

export function copyEntry(state: State, entry: SessionEntry): Transition {
	const text = textOf(state, entry);
	if (text === "") return transition(say(state, NO_TEXT, "warning"));
	const what = `the ${nameOf(state, entry)}`;
	return copying(state, { type: "copy", text, what }, { entryIds: new Set([entry.id]), of: "text" });
}

/** The last answer that says something, of the turn of an entry or of its branch. */
export function lastAnswer(
	session: Session,
	entryId: string,
	of: "turn" | "branch" = "turn",
): SessionEntry | undefined {
	const entries = excerptEntries({ of, session, entryId });
	return entries.findLast((entry) => entryKind(entry) === "answer" && answerText(entry).trim() !== "");
}

const CODE_BLOCK = /^([ \t]*)(`{3,}|~{3,})[^`\n]*\n([\s\S]*?)^[ \t]*\2/gm;

/** Copies the last code block on the way to an entry and the end of its turn; the message says whose it is unless that is the last answer. */
export function copyCode(state: State, { id }: SessionEntry): Transition {
	const { session } = state.detail;
	if (session === undefined) return transition(state);
	const last = lastAnswer(session, id);
	const path = pathTo(session.tree, last?.id ?? id);
	const at = path.findLastIndex((entry) => entryKind(entry) === "answer" && lastCode(entry) !== undefined);
	const answer = path[at];
	const text = answer && lastCode(answer);
	if (answer === undefined || text === undefined)
		return transition(say(state, "No answer up to here has a code block", "warning"));
	const turns = path.slice(at).filter((entry) => entryKind(entry) === "prompt").length;
	const distance = turns === 0 ? "" : `, ${formatCounted(turns, "turn")} before the last`;
	const from = answer === last ? "" : ` of the answer of ${formatTime(timeOf(answer.timestamp), state.now)}${distance}`;
	return transition(state, { type: "copy", text, what: `the code block${from}` });
}

function lastCode(answer: SessionEntry): string | undefined {
	const [, indent = "", , text] = [...answerText(answer).matchAll(CODE_BLOCK)].at(-1) ?? [];
	return text
		?.split("\n")
		.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
		.join("\n");
}

/** Copies the last answer of the turn of an entry; the message quotes one that is not on the screen. */
export function copyAnswer(state: State, { id: entryId }: SessionEntry): Transition {
	const { session } = state.detail;
	const answer = session && lastAnswer(session, entryId);
	if (answer === undefined) return transition(say(state, "This turn has no answer", "warning"));
	const text = answerText(answer);
	const reader = selectReader(state);
	const rows = reader === undefined ? [] : rowsFrom(reader.document, reader.top, reader.height);
	const isInSight = rows.some(({ at }) => reader?.document.path[at.entry]?.id === answer.id);
	const what = isInSight ? "the answer" : `the answer ${quote(text)}`;
	return copying(state, { type: "copy", text, what }, { entryIds: new Set([answer.id]), of: "text" });
}

/** What an answer says; why it failed is no answer. */
function answerText(entry: SessionEntry): string {
	return contentText(fieldsOf(fieldsOf(entry).message).content, "\n");
}

export function copyBlock(state: State): Transition {
	const reader = selectReader(state);
	const block = codeInSight(state) ?? (reader && blockInSight(reader, currentIndex(state, reader)));
	if (block === undefined) return transition(say(state, "There is no visible text to copy", "warning"));
	const { text, what, rows } = block;
	return copying(state, { type: "copy", text, what }, rows);
}

/** The code block that begins in sight in the entry that is read. */
export function codeInSight(state: State): BlockText | undefined {
	const reader = selectReader(state);
	return reader && codeBegun(reader, currentIndex(state, reader));
}

const codeBegun = memoLast((reader: Reader, current: number): BlockText | undefined => {
	const { document, top, height } = reader;
	const row = rowsFrom(document, top, height).find(({ at }) => at.entry === current && isStart(document, at));
	return row && codeAt(document, row.at);
});

/** "copy answer": what copying the marked entry takes, for the footer. */
export function nameOfCopy(state: State): string {
	const entry = entryUnderCursor(state);
	return `copy ${(entry && nameOf(state, entry)) ?? ""}`;
}

/** Why there is nothing to copy of an entry, such as the choice of a model. */
export function whyNoCopy(state: State, entry: SessionEntry): string | undefined {
	return nameOf(state, entry) === undefined ? NO_TEXT : undefined;
}

const NO_TEXT = "This entry has no text to copy";

/** What copying an entry takes, by its kind; of a result it depends on the tool. */
const NAMES: Readonly<Partial<Record<EntryKind, string>>> = {
	prompt: "prompt",
	answer: "answer",
	command: "command",
	message: "message",
	system: "system prompt",
	compaction: "summary",
	"branch-summary": "summary",
	unknown: "text",
};

function nameOf({ detail: { session }, environment }: State, entry: SessionEntry): string | undefined {
	const step =
		session && entryKind(entry) === "result" ? stepOf(entry, session, placeOf(session, environment.home)) : undefined;
	if (step === undefined) return NAMES[entryKind(entry)];
	if (step.file !== undefined) return step.name === "write" ? "file" : "diff";
	return step.name === "read" && step.end === "ok" ? "file" : "output";
}

/** What an entry says, printed or changed: of an edit the lines with their signs, of a written file its text; "" for nothing. */
function textOf(state: State, entry: SessionEntry): string {
	const { session } = state.detail;
	const call = session && entryKind(entry) === "result" ? callOf(entry, session) : undefined;
	const name = nameOf(state, entry);
	const edit =
		call && (name === "diff" || name === "file") ? fileEditOf(call, fieldsOf(fieldsOf(entry).message)) : undefined;
	if (edit === undefined) return entryPlainText(entry);
	if (edit.of === "file" || edit.isLarge) return edit.text;
	return Array.from(edit.lines(RENDERERS.of(state).value), ({ kind, text }) => `${SIGNS[kind]}${text}`).join("\n");
}

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { added: "+", removed: "-", same: " ", gap: "…", note: "" };

/** A code block, or another block, in sight. */
interface BlockText {
	readonly text: string;
	/** Its name in messages, such as "the code block". */
	readonly what: string;
	readonly rows: CopiedRows;
}

/**
 * The first code block whose first row is visible, of the entry that is read if there is one in it, else one of which only
 * other rows are visible. Without any, or if the code behind the rows is ambiguous, the whole block: a thought, an answer, an
 * output. `current`: index of the entry that is read.
 */
export function blockInSight({ document, top, height }: Reader, current: number): BlockText | undefined {
	const visible = rowsFrom(document, top, height);
	const rows = [...visible.filter(({ at }) => at.entry === current), ...visible];
	const codeRow =
		rows.find(({ at }) => isStart(document, at)) ??
		rows.find(({ at }) => isCode(document.rows(at.entry, at.piece)[at.row]));
	const code = codeRow && codeAt(document, codeRow.at);
	if (code !== undefined) return code;
	for (const { at } of codeRow === undefined ? rows : [codeRow, ...rows]) {
		const whole = wholeBlock(document, at);
		if (whole !== undefined) return whole;
	}
	return undefined;
}

/** Whether a row is the first one of a code block. */
function isStart(document: ReaderDocument, { entry, piece, row }: Position): boolean {
	const rows = document.rows(entry, piece);
	return isCode(rows[row]) && !isCode(rows[row - 1]);
}

/** The block that a row is in, including folded parts; undefined if there is no text in it. */
function wholeBlock(document: ReaderDocument, at: Position): BlockText | undefined {
	const text = blockText(document, at);
	const block = document.pieces(at.entry)[at.piece]?.block;
	const entryId = document.path[at.entry]?.id;
	if (text.trim() === "" || block === undefined || entryId === undefined) return undefined;
	const whole = { block, part: undefined, from: 0, to: Number.MAX_SAFE_INTEGER };
	return { text, what: "the block", rows: { entryIds: new Set([entryId]), of: whole } };
}

/** The text of the block that a row is in, including folded parts. */
function blockText(document: ReaderDocument, { entry, piece }: Position): string {
	const block = document.pieces(entry)[piece]?.block;
	const textBlock =
		block === undefined ? undefined : Iterator.from(document.wholeBlocks(entry)).drop(block).next().value;
	return textBlock === undefined ? "" : textBlock.parts.map(({ text }) => text).join("");
}

/** The code block that a row of Markdown shows; undefined if that is ambiguous. */
function codeAt(document: ReaderDocument, { entry, piece, row }: Position): BlockText | undefined {
	const codes = document.codes(entry, piece);
	const rows = document.rows(entry, piece);
	const starts = rows.flatMap((one, index) => (isCode(one) && !isCode(rows[index - 1]) ? [index] : []));
	// Two blocks without a row between them look like one, so the counts differ.
	if (starts.length !== codes.length) return undefined;
	const number = starts.filter((start) => start <= row).length - 1;
	const [text, from = 0] = [codes[number], starts[number]];
	const { block = 0, part = 0 } = document.pieces(entry)[piece] ?? {};
	const entryId = document.path[entry]?.id;
	if (text === undefined || entryId === undefined) return undefined;
	const end = rows.findIndex((one, index) => index > from && !isCode(one));
	const to = end === -1 ? rows.length : end;
	return { text, what: "the code block", rows: { entryIds: new Set([entryId]), of: { block, part, from, to } } };
}

/** Whether a row of an answer or a prompt shows code. A command has the same background, but on the row, not on its spans. */
function isCode(row: ReaderRow | undefined): boolean {
	return row !== undefined && row.ground !== "code" && row.line.some(({ ground }) => ground === "code");
}
