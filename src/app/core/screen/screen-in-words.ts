import { type Line, span } from "../../../ui/text/line.ts";
import { KEPT_BLANK, rowAsWords } from "../../../ui/text/plain-text.ts";
import { blanks, cleanText } from "../../../ui/text/sanitize.ts";
import { splitLine, textWidth } from "../../../ui/text/width.ts";
import type { Cell, OverlayView } from "../../../ui/view.ts";
import type { AppPane, AppScreen } from "../../world/state/state.ts";

/** What the signs of a row are called; "" for those that only draw the way of the eye. */
type Words = Readonly<Record<string, string>>;

/** Signs that mean the same everywhere. */
const SHARED: Words = {
	"›": "",
	"❯": "",
	"▌": "",
	"◦": "",
	"×": "",
	"✗": "failed",
	"✓": "done",
	"⚑": "label",
	"◫": "run",
	"!": "damaged",
	"★": "pinned",
	"✎": "comment",
	"●": "running",
	"○": "active",
	"◐": "waiting",
	"◌": "directory gone",
	"◂": "here",
	"▾": "open",
	"▸": "folded",
	"▴": "reversed",
};

const IN_LIST: Words = { ...SHARED, "✓": "marked" };

const IN_SESSION: Words = {
	...SHARED,
	"!": "you ran",
	"●": "you",
	"◆": "you, with branches",
	"◉": "end",
	"○": "end of a branch",
	"◂": "",
	"▸": "",
	"⊞": "folded branch",
	"⊟": "open branch",
	"≡": "summary",
	$: "command",
};

const COUNTED: Words = { failed: "failed", label: "labels", comment: "comments", run: "runs", running: "running" };

/** A sign alone, perhaps with a count: "✗2". */
const SIGN = /^ *([^\w\s]) ?(\d[\d,.k]*)? *$/u;
/** A sign in front of words that say it: "◂ pi continues here". */
const LEADING = /^( *)([^\w\s]) (?=\S)/u;

/**
 * The screen for `--plain`: the same rows with words in place of their signs, of the pane with the focus alone, and numbered items.
 * How they are painted is the theme's (`Theme.isPlain`).
 */
export function screenInWords(view: AppScreen): AppScreen {
	const { overlay, columns } = view;
	const plainOverlay = overlay && plainOfOverlay(overlay, columns);
	const focusedPanes = view.panes.filter((pane) => pane.focused);
	const panes = (focusedPanes.length > 0 ? focusedPanes : view.panes.slice(0, 1)).map((pane) =>
		plainPane(pane, plainOverlay),
	);
	const [pane] = panes;
	return {
		...view,
		header: spoken(view.header, SHARED),
		footer: spokenKeys(view.footer),
		message: view.message?.map(spokenKeys),
		bottom: undefined,
		panes,
		overlay: plainOverlay,
		cursor: view.cursor && caretOf(view.cursor, view, pane),
		selected: selectedCell(panes, plainOverlay),
	};
}

function plainPane(pane: AppPane, overlay: OverlayView | undefined): AppPane {
	const words = pane.id === "list" ? IN_LIST : IN_SESSION;
	// What is below an overlay would show beside it.
	const isCovered = (y: number): boolean => overlay !== undefined && y >= overlay.y && y < overlay.y + overlay.height;
	const isTitleCovered = isCovered(pane.y - 1);
	return {
		...pane,
		title: isTitleCovered ? [] : spoken(pane.title, SHARED),
		settings: isTitleCovered ? [] : pane.settings.slice(-1).map((form) => spoken(form, SHARED)),
		position: blanks(0),
		rows: pane.rows.map((row, index) => ({
			...row,
			line: isCovered(pane.y + index) ? [] : spoken(pane.id === "reader" ? indented(row.line) : row.line, words),
		})),
	};
}

/** More blanks are no indentation. */
const MOST_INDENTED = 16;

/** A row of a text, in which the blanks of code stay, but not those of the gutter. */
function indented(line: Line): Line {
	const start = line.findIndex(({ isAside }) => isAside !== true);
	return line.flatMap((part, index) => {
		if (part.text.trim() !== "" || part.text.length > MOST_INDENTED) return part;
		if (part.isAside === true) return index < start ? [] : part;
		return { ...part, text: cleanText(part.text.replaceAll(" ", KEPT_BLANK)) };
	});
}

/** From edge to edge, so that a row is only of the overlay. */
function plainOfOverlay(overlay: OverlayView, columns: number): OverlayView {
	const frame = {
		...{ x: 0, width: columns },
		title: spoken(overlay.title, SHARED),
		body: overlay.body.map((line) => spoken(line, SHARED)),
		hint: spokenKeys(overlay.hint),
	};
	if (overlay.kind === "help") return { ...overlay, ...frame, position: blanks(0) };
	if (overlay.kind === "prompt") return { ...overlay, ...frame };
	const items = overlay.items.map((item, index) =>
		cleanText(`${overlay.first + index + 1} ${item}${overlay.notes?.[index] ?? ""}`),
	);
	return { ...overlay, ...frame, items };
}

/** A row with words for its signs, once for each row that is drawn. */
function spoken(line: Line, words: Words): Line {
	const first = line.find(({ text }) => !/^[ ›]*$/.test(text));
	return line.flatMap((part): Line => {
		const { text } = part;
		const [, sign = "", count] = SIGN.exec(text) ?? [];
		const word = words[sign];
		// The same as where a row has no such sign.
		if (word === "") return [span(" ".repeat(textWidth(text)))];
		if (word !== undefined) return [...(part === first ? [] : [COLUMN]), span(counted(word, count)), COLUMN];
		const [, , leading = ""] = LEADING.exec(text) ?? [];
		const rest = words[leading] === undefined ? text : text.replace(LEADING, "$1");
		return [rest === text ? part : { ...part, text: cleanText(rest) }];
	});
}

/** A row of keys, with commas between them. */
function spokenKeys(line: Line): Line {
	return [span(rowAsWords(spoken(line, SHARED)).trim().replace(/ {2,}/g, ", "))];
}

/** What is painted as a comma. */
const COLUMN = span("  ");

function counted(word: string, count: string | undefined): string {
	return count === undefined || count === "1" ? word : `${count} ${COUNTED[word] ?? word}`;
}

/** The cell where the next character is typed, in the row as it is painted. */
function caretOf(cell: Cell, { overlay, header }: AppScreen, pane: AppPane | undefined): Cell {
	if (overlay?.kind === "prompt") return { ...cell, x: cell.x - overlay.x };
	const isInOverlay = overlay !== undefined;
	const isInHeader = !isInOverlay && cell.y === 0;
	const line = isInOverlay ? overlay.title : isInHeader ? header : (pane?.title ?? []);
	const [textBefore] = splitLine(line, cell.x - (isInOverlay ? overlay.x + 2 : isInHeader ? 0 : 3));
	return { ...cell, x: (isInOverlay ? 1 : 0) + textWidth(cleanText(rowAsWords(spoken(textBefore, SHARED), true))) };
}

/** The cell of the selected row: of the overlay, else of the pane with the focus. */
export function selectedCell(panes: readonly AppPane[], overlay: OverlayView | undefined): Cell | undefined {
	if (overlay !== undefined) {
		const body = overlay.body.findIndex((line) => line.some(({ ground }) => ground === "cursor"));
		const row = overlay.kind === "menu" ? overlay.body.length + overlay.index : body;
		return { x: overlay.x, y: overlay.y + 1 + Math.max(0, row) };
	}
	const pane = panes.find(({ focused }) => focused);
	return (
		pane && {
			x: pane.x,
			y:
				pane.y +
				Math.max(
					0,
					pane.rows.findIndex(({ selected }) => selected),
				),
		}
	);
}
