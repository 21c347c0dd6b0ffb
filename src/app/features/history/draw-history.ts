import type { SessionRow } from "../../../catalog/model/row.ts";
import { changesOf, type HistoryRow } from "../../../changes/journal/history-rows.ts";
import { sessionsOfChanges } from "../../../changes/journal/step.ts";
import { type Change, isMade } from "../../../changes/kinds/change.ts";
import type { Deed, Outlook } from "../../../changes/kinds/kind.ts";
import { kindOfPlan, madeOf } from "../../../changes/kinds/kinds.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCount, timeCell } from "../../../ui/text/format.ts";
import { type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, lineWidth, padText } from "../../../ui/text/width.ts";
import { sessionOf } from "./history-state.ts";

interface HistoryDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly outlooks: ReadonlyMap<string, Outlook>;
	readonly home: string;
	/** Unix ms. */
	readonly now: number;
}

/** From this width on, words say whether a change can be undone, and what was done stands in columns; below it, a sign does. */
const WORDS_FROM_WIDTH = 60;
const LEAST_VERB_WIDTH = 12;
/** The longest verbs have about as many: "put in place 12 hunks in". */
const MOST_VERB_WIDTH = 26;
/** The share of the title in the room that it has with the result. */
const TITLE_SHARE = 0.6;

/** Draws a change: when it was made, what it did to which session, what came of it, and whether it can be undone. */
export function drawHistoryRow(row: HistoryRow, drawing: HistoryDrawing): Line {
	const { width, selected, now } = drawing;
	const [change] = changesOf(row);
	const isNarrow = width < WORDS_FROM_WIDTH;
	const [word, tone] = standing(row, drawing);
	const right: Line = [span(`  ${isNarrow ? (SIGNS[word] ?? word) : padText(cleanText(word), STANDING_WIDTH)} `, tone)];
	const start: Line = [
		span(selected ? "› " : "  ", "accent"),
		span(`${timeCell(Date.parse(change?.at ?? ""), now, width)}  `, "muted"),
	];
	const room = width - lineWidth([...start, ...right]);
	return joinEnds([...start, ...deedSpans(row, drawing, isNarrow ? undefined : room)], right, width);
}

/** `room`: cells of the columns; undefined: they follow each other. */
function deedSpans(row: HistoryRow, { rows, home }: HistoryDrawing, room: number | undefined): Line {
	if (row.kind === "group")
		return [span(row.isOpen ? "⊟ " : "⊞ ", "accent"), strong(row.group.what), span(membersShown(row), "muted")];
	const { verb, title, result } = deed(row.change, rows, home);
	const [verbTone, tone] = isMade(row.change) ? (["verb", "text"] as const) : (["muted", "muted"] as const);
	const indent = row.inGroup ? "  " : "";
	if (title === "") return [span(`${indent}${verb}`, tone)];
	if (room === undefined) return [span(`${indent}${verb} `, verbTone), span(title, tone), span(` ${result}`, "muted")];
	const verbWidth = Math.min(MOST_VERB_WIDTH, Math.max(LEAST_VERB_WIDTH, Math.floor(room / 5)));
	const titleWidth = Math.floor((room - verbWidth - 2) * TITLE_SHARE);
	return [
		span(`${column(cleanText(`${indent}${verb}`), verbWidth)} `, verbTone),
		span(`${column(title, titleWidth)} `, tone),
		span(result, "muted"),
	];
}

function column(text: CleanText, width: number): CleanText {
	return padText(cutText(text, width), width);
}

/** How many changes of a group are listed, unless all are: some were not made, or have not been read yet. */
function membersShown({ changes, group }: Extract<HistoryRow, { kind: "group" }>): string {
	const count = sessionsOfChanges(changes);
	return count >= group.count ? "" : `  ${formatCount(count)} of ${formatCount(group.count)}`;
}

/** The longest of the words below. */
const STANDING_WIDTH = 16;
/** What narrow rows show instead of words. */
const SIGNS: Readonly<Record<string, string>> = {
	"can be undone": "↶",
	"undo asks first": "↶?",
	"cannot be undone": "✗",
	"later ones first": "✗",
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
	if (knownOutlooks.length > 0 && knownOutlooks.every(({ kind }) => kind === "refuse"))
		return [knownOutlooks.some((each) => "waits" in each) ? "later ones first" : "cannot be undone", "muted"];
	if (knownOutlooks.some(({ kind }) => kind !== "clear")) return ["undo asks first", "warning"];
	return knownOutlooks.length < madeChanges.length ? ["…", "muted"] : ["can be undone", "current"];
}

function standingOver(changes: readonly Change[]): readonly [string, "muted"] {
	if (changes.some(({ fate }) => fate === "undone")) return ["undone", "muted"];
	if (changes.some(({ fate }) => fate === "restored")) return ["restored", "muted"];
	return ["not made", "muted"];
}

type Rows = ReadonlyMap<string, SessionRow>;

/** What a change did, to which session, and what came of it; without a session the verb says everything. */
interface DeedParts {
	readonly verb: CleanText;
	readonly title: CleanText;
	readonly result: CleanText;
}

function deed(change: Change, rows: Rows, home: string): DeedParts {
	const { plan, what } = change;
	const ofChange = kindOf(change);
	const titles = [...what.matchAll(/“(.*?)”/g)];
	const quoted = titles.at(ofChange?.kind.titleAt ?? 0);
	const row = rows.get(sessionOf(change) ?? "") ?? rows.get(plan?.path ?? "");
	const kindsDeed = ofChange?.deedOf(home);
	// A change of no session, or of several at once.
	if (quoted === undefined && (kindsDeed === undefined || row === undefined))
		return { verb: sanitizeLine(what), title: cleanText(""), result: cleanText("") };
	const [verb, result] = kindsDeed ?? around(what, quoted);
	const title = row === undefined ? undefined : sessionTitle(row);
	// A session that was renamed is called here as it was before.
	const isSaid = title === undefined || (quoted !== undefined && result.includes(title));
	return {
		verb: sanitizeLine(verb),
		title: isSaid ? sanitizeLine(quoted?.[1] ?? "") : title,
		result: sanitizeLine(result),
	};
}

/** The description of a change before and after the title that it quotes. */
function around(what: string, quoted: RegExpExecArray | undefined): Deed {
	if (quoted === undefined) return [what, ""];
	return [what.slice(0, quoted.index).trim(), what.slice(quoted.index + quoted[0].length).replace(/^,?\s+/, "")];
}

/** The kind of a change and what it did; undefined if the journal says only that the change was begun. */
function kindOf({ plan, undo, what, receipt }: Change) {
	if (undo !== undefined) {
		const { kind, made } = madeOf({ plan, undo, what, receipt });
		return { kind, deedOf: (home: string) => kind.deedOf?.(made, home) };
	}
	if (plan === undefined) return undefined;
	const kind = kindOfPlan(plan);
	return { kind, deedOf: (home: string) => kind.deedOf?.({ plan, undo, what, receipt }, home) };
}
