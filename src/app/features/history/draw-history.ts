import type { SessionRow } from "../../../catalog/model/row.ts";
import { changesOf, type HistoryRow } from "../../../changes/journal/history-rows.ts";
import { sessionsIn } from "../../../changes/journal/step.ts";
import { type Change, isMade, pathOf } from "../../../changes/kinds/change.ts";
import type { CommandWords, Outlook } from "../../../changes/kinds/kind.ts";
import { kindOfPlan, madeOf } from "../../../changes/kinds/kinds.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCount, shortenHome, timeCell } from "../../../ui/text/format.ts";
import { type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, padText } from "../../../ui/text/width.ts";
import { sessionOf } from "./history-state.ts";

interface HistoryDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly outlooks: ReadonlyMap<string, Outlook>;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** From this width on, the title of the session has a column. */
const TITLE_FROM_WIDTH = 70;
/** From this width on, words say whether a change can be undone; below it, a sign. */
const WORDS_FROM_WIDTH = 60;
const TITLE_SHARE = 0.3;

/** Draws a change: when it was made, what it did, to which session, and whether it can be undone. */
export function drawHistoryRow(row: HistoryRow, drawing: HistoryDrawing): Line {
	const { width, selected, now } = drawing;
	const [change] = changesOf(row);
	const isNarrow = width < WORDS_FROM_WIDTH;
	const [word, tone] = standing(row, drawing);
	const right: Line = [
		...titleColumn(row, drawing),
		span(`  ${isNarrow ? (SIGNS[word] ?? word) : padText(cleanText(word), STANDING_WIDTH)} `, tone),
	];
	const leftEnd: Line = [
		span(selected ? "› " : "  ", "accent"),
		span(`${timeCell(Date.parse(change?.at ?? ""), now, width)}  `, "muted"),
		...whatSpans(row, drawing),
	];
	return joinEnds(leftEnd, right, width);
}

function whatSpans(row: HistoryRow, { rows, home }: HistoryDrawing): Span[] {
	if (row.kind === "group") return [span(row.isOpen ? "⊟ " : "⊞ ", "accent"), strong(row.group.what)];
	const [verb, rest] = commandOf(row.change, rows, home);
	const isOver = !isMade(row.change);
	const indent = row.inGroup ? [span("  ")] : [];
	if (verb === "") return [...indent, span(rest, isOver ? "muted" : "text")];
	return [...indent, span(`${verb} `, isOver ? "muted" : "verb"), span(rest, isOver ? "muted" : "text")];
}

function titleColumn(row: HistoryRow, { width, rows }: HistoryDrawing): Span[] {
	if (width < TITLE_FROM_WIDTH) return [];
	if (row.kind === "group") return [span(membersShown(row), "muted")];
	const room = Math.floor(width * TITLE_SHARE);
	const title = subjectOf(row.change, rows);
	return [span(`  ${padText(cutText(cleanText(title), room), room)}`, "muted")];
}

/** How many changes of a group are listed, unless all are: some were not made, or have not been read yet. */
function membersShown({ changes, group }: Extract<HistoryRow, { kind: "group" }>): string {
	const count = sessionsIn(changes);
	return count >= group.count ? "" : `  ${formatCount(count)} of ${formatCount(group.count)}`;
}

/** The longest of the words below. */
const STANDING_WIDTH = 16;
/** What narrow rows show instead of words. */
const SIGNS: Readonly<Record<string, string>> = {
	"can be undone": "↶",
	"undo asks first": "↶?",
	"cannot be undone": "✗",
	"can be redone": "↷",
};

function standing(row: HistoryRow, { outlooks }: HistoryDrawing): readonly [word: string, tone: Span["tone"] & string] {
	const changes = changesOf(row);
	const madeChanges = changes.filter(isMade);
	if (madeChanges.length === 0) return standingOver(changes);
	const knownOutlooks = madeChanges.flatMap(({ id }) => outlooks.get(id) ?? []);
	const undone = changes.filter(({ fate }) => fate === "undone").length;
	const restored = changes.filter(({ fate }) => fate === "restored").length;
	if (undone > 0 && restored > 0) return [`${formatCount(madeChanges.length)} in effect`, "muted"];
	if (undone > 0) return [`${formatCount(undone)} undone`, "muted"];
	if (restored > 0) return [`${formatCount(restored)} restored`, "muted"];
	if (knownOutlooks.some(({ kind }) => kind === "refuse"))
		return knownOutlooks.every(({ kind }) => kind === "refuse")
			? ["cannot be undone", "muted"]
			: ["undo asks first", "warning"];
	if (knownOutlooks.some(({ kind }) => kind === "ask")) return ["undo asks first", "warning"];
	return knownOutlooks.length < madeChanges.length ? ["…", "muted"] : ["can be undone", "current"];
}

function standingOver(changes: readonly Change[]): readonly [string, "muted"] {
	if (changes.some(({ fate }) => fate === "undone")) return ["undone", "muted"];
	if (changes.some(({ fate }) => fate === "restored")) return ["restored", "muted"];
	return [changes.some(({ fate }) => fate === "given-up") ? "kept" : "not made", "muted"];
}

type Rows = ReadonlyMap<string, SessionRow>;

/** Characters of an id that are enough to distinguish sessions. */
const ID_LENGTH = 8;

/** A change as its shell command; if there is no such command, in the words of the journal. */
function commandOf(change: Change, rows: Rows, home: string): readonly [verb: string, rest: string] {
	const { plan, undo, what } = change;
	const path = plan?.path ?? (undo === undefined ? undefined : pathOf(undo));
	if (path === undefined) return ["", what];
	const words: CommandWords = {
		session: shortId(path, rows),
		entry: (id) => id?.slice(0, ID_LENGTH) ?? "…",
		quoted: (text) => quoted(text ?? "…"),
		directory: (directory) => shortenHome(directory, home),
	};
	return kindOf(change)?.commandOf(words) ?? ["", what];
}

/** The current title of the session of a change; the title in the journal if the session is not listed. */
function subjectOf(change: Change, rows: Rows): CleanText {
	const { plan, what } = change;
	const row = rows.get(sessionOf(change) ?? "") ?? rows.get(plan?.path ?? "");
	if (row !== undefined) return sessionTitle(row);
	const quotedTexts = [...what.matchAll(/“(.*?)”/g)];
	return sanitizeLine(quotedTexts.at(kindOf(change)?.kind.titleAt ?? 0)?.[1] ?? "");
}

/** The kind of a change and its command; undefined if the journal says only that the change was begun. */
function kindOf({ plan, undo, what, receipt }: Change) {
	if (undo !== undefined) {
		const { kind, made } = madeOf({ plan, undo, what, receipt });
		return { kind, commandOf: (words: CommandWords) => kind.commandOf(made, words) };
	}
	if (plan === undefined) return undefined;
	const kind = kindOfPlan(plan);
	return { kind, commandOf: (words: CommandWords) => kind.commandOf({ plan, undo, what, receipt }, words) };
}

function quoted(text: string): string {
	return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}

/** The start of the id of a session. For a session that is not listed it is taken from the file name, where pi writes it. */
function shortId(path: string, rows: Rows): CleanText {
	const listedId = rows.get(path)?.id;
	const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\.jsonl$/, "");
	const id = listedId === undefined || listedId === "" ? name.slice(name.indexOf("_") + 1) : listedId;
	return cleanText(id.slice(0, ID_LENGTH));
}
