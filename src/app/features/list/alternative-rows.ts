import { memoLast } from "../../../shared/memo.ts";
import { FIRST_CURSOR, indexOfKey, type PageCursor, type PageRow } from "../../../ui/page/page-rows.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, padText, textWidth } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { sessionsBox } from "../../world/list/list-view.ts";
import { selectList } from "../../world/list/select-list.ts";
import { defineRows, type RowDrawing } from "../../world/page/define-rows.ts";
import { defineSlice, type State } from "../../world/state/state.ts";
import { type Alternative, selectAlternatives, takeAlternative } from "./alternatives.ts";
import { whyListIsEmpty } from "./nothing-found.ts";

interface AlternativeRow extends PageRow {
	/** Undefined for a row of the sentence above the alternatives. */
	readonly alternative: Alternative | undefined;
	readonly text: CleanText;
}

const SLICE = defineSlice<{ readonly cursor: PageCursor }>("alternatives", { cursor: FIRST_CURSOR });

/** Where nothing is found: why, and what to search for instead. Without alternatives the list itself says why. */
export const ALTERNATIVES = defineRows<AlternativeRow>({
	slice: SLICE,
	title: "sessions",
	box: sessionsBox,
	rows: alternativeRows,
	// The first one is what is most like the query: the cursor starts there with each query.
	start(state, rows) {
		const { cursor } = SLICE.of(state);
		return cursor.selected !== undefined && indexOfKey(rows, cursor.selected, cursor.index) !== -1
			? cursor
			: FIRST_CURSOR;
	},
	draw: drawRow,
	notes: () => [],
	nothing: () => [""],
});

function alternativeRows(state: State): readonly AlternativeRow[] {
	const { alternatives } = selectAlternatives(state);
	if (alternatives.length === 0) return NO_ROWS;
	return rowsOf(alternatives, whyListIsEmpty(state, selectList(state).total), sessionsBox(state)?.width ?? 0);
}

const NO_ROWS: readonly AlternativeRow[] = [];

const rowsOf = memoLast(
	(alternatives: readonly Alternative[], why: string, width: number): readonly AlternativeRow[] => [
		...wrapText(sanitizeLine(why), width - INDENT.length).map((text, at) => {
			return { key: `why ${at}`, isSkipped: true, alternative: undefined, text };
		}),
		...alternatives.map((alternative) => {
			const { label, scope, terms, text } = alternative;
			return { key: `${scope} ${terms.join(" ")} ${text} ${label}`, alternative, text: sanitizeLine(text) };
		}),
	],
);

const INDENT = "  ";
const GAP = 2;
/** Cells that a query keeps where not all fits: most of it is typed above, while a label ends with what it leaves out. */
const LEAST_TEXT = 16;
/** Part of a row that a label keeps. */
const LABEL_SHARE = 0.6;

/** "› without “spec”     openapi     1 session" */
function drawRow(state: State): (row: AlternativeRow, drawing: RowDrawing) => Line {
	const { alternatives } = selectAlternatives(state);
	const labels = alternatives.map(({ label }) => textWidth(sanitizeLine(label)));
	const texts = alternatives.map(({ text }) => textWidth(sanitizeLine(text)));
	const counts = alternatives.map((alternative) => textWidth(countText(alternative)));
	return ({ alternative, text }, { width, selected }) => {
		if (alternative === undefined) return [span(INDENT), { text, tone: "muted" }];
		const count = countText(alternative);
		const countWidth = Math.max(...counts);
		const room = width - INDENT.length - countWidth - 2 * GAP - 1;
		const widest = Math.max(...texts);
		const most = Math.max(Math.floor(room * LABEL_SHARE), room - Math.min(widest, LEAST_TEXT), 0);
		const labelWidth = Math.min(Math.max(...labels), most);
		const textCells = Math.max(0, Math.min(widest, room - labelWidth));
		const line: Line = [
			span(selected ? "› " : INDENT, "accent"),
			{ text: padText(cutText(sanitizeLine(alternative.label), labelWidth), labelWidth + GAP), tone: "muted" },
			{ text: padText(cutText(text, textCells), textCells + GAP) },
			{ text: padText(count, countWidth), tone: alternative.count === undefined ? "muted" : "current" },
		];
		return joinEnds(line, [], width);
	};
}

function countText({ count, inForms }: Alternative): CleanText {
	if (count === undefined) return sanitizeLine("not searched yet");
	return sanitizeLine(`${formatCounted(count, "session")}${inForms ? " like it" : ""}`);
}

/** Whether alternatives are shown because nothing is found. */
export function hasAlternatives(state: State): boolean {
	return selectAlternatives(state).alternatives.length > 0;
}

/** Comes before all other keys of the list, which have nothing to act on. */
// biome-ignore format: a table
export const ALTERNATIVE_KEYS: readonly Key[] = [
	{ id: "take-alternative", keys: ["enter"], contexts: ["list"], short: "search", when: hasAlternatives,
		help: "search for the alternative under the cursor", condition: "where nothing is found", run: change(takeHere) },
];

function takeHere(state: State): State {
	const alternative = ALTERNATIVES.current(state)?.alternative;
	return alternative === undefined ? state : takeAlternative(state, alternative);
}

/** Takes the alternative at a row of the screen; undefined where there is none. */
export function takeAlternativeAt(state: State, y: number): State | undefined {
	const index = hasAlternatives(state) ? ALTERNATIVES.indexAt(state, y) : undefined;
	const alternative = index === undefined ? undefined : alternativeRows(state)[index]?.alternative;
	return alternative && takeAlternative(state, alternative);
}
