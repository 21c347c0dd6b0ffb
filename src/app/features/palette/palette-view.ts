import { memoLast } from "../../../shared/memo.ts";
import { showEdited } from "../../../ui/field/filter-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { blanks, cleanText } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { padText, textWidth } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import type { Cell, HelpView } from "../../../ui/view.ts";
import { keyHints } from "../../world/keys/key-hints.ts";
import { mostTextRows, overlayBox, overlayWidth, textCell, textColumns } from "../../world/screen/overlay-box.ts";
import { type Binding, bindingsFor, type Context, contextOf } from "../../world/state/binding.ts";
import type { PaletteOverlay } from "../../world/state/overlays.ts";
import type { PageKind } from "../../world/state/page-kind.ts";
import type { State } from "../../world/state/state.ts";
import { type Explained, QUERIES, SIGNS } from "./legend.ts";
import { allCommands, beneath, type Command, matchingCommands, whyNot } from "./palette-commands.ts";
import { COLUMN_GAP, type PalettePage, type Piece, placePieces } from "./palette-page.ts";

/** Columns of the page, and the cells of each. */
const MOST_COLUMNS = 3;
const LEAST_WIDTH = 56;
const MOST_WIDTH = 84;
/** The column of the keys is at most this wide, in cells, and takes at most this part of a column of the page. */
const MOST_KEYS_WIDTH = 20;
const KEYS_SHARE = 0.36;
const GAP = 2;
/** The row of the field. */
const FIELD_ROWS = 1;
const PROMPT = "❯ ";
const NO_TEXT = blanks(0);

/** What a place is called. */
const PLACES: Readonly<Record<Exclude<Context, PageKind>, string>> = {
	list: "in the list",
	saved: "among the saved queries",
	tree: "in the tree",
	reader: "in the reader",
	branches: "among the branches",
	find: "while something is looked for",
	comparison: "beside two branches",
	menu: "in a menu",
	prompt: "in a field",
	help: "on a page of text",
	palette: "here",
	projects: "among the projects",
};

/** The section that is about a place. */
const OWN_SECTION: Readonly<Partial<Record<Context, string>>> = {
	list: "List",
	saved: "List",
	tree: "Tree",
	reader: "Reader",
	branches: "Branches",
};

/** Every command with its keys, or those that match what is typed; what signs mean, and what can be searched for. */
export function selectPalette(state: State, overlay: PaletteOverlay): HelpView {
	const { size } = state;
	const { lines } = palettePage(state, overlay);
	const { columns, width } = columnsFor(state, overlay);
	const total = columns * (width + COLUMN_GAP) - COLUMN_GAP;
	const boxWidth = overlayWidth(total, size);
	const box = overlayBox(boxWidth, lines.length + FIELD_ROWS, size);
	const top = Math.min(overlay.top, lastPaletteTop(state, overlay));
	const bottom = Math.min(top + pageRows(state), lines.length);
	const field = showEdited(overlay.query, Math.max(1, textColumns(boxWidth) - PROMPT.length));
	const typed: Span = field.text === "" ? span("type to find a command", "muted") : span(field.text);
	return {
		kind: "help",
		...box,
		title: [strong("Commands and keys")],
		body: [wrapLine([span(PROMPT, "accent"), typed], textColumns(boxWidth))[0] ?? [], ...lines.slice(top, bottom)],
		position: cleanText(`${formatCount(bottom)}/${formatCount(lines.length)}`),
		cursor: textCell(box, 0, PROMPT.length + field.cursor),
		hint: keyHints(bindingsFor(state), textColumns(boxWidth)),
	};
}

/** Rows of the page that are seen at a time. */
export function pageRows({ size }: State): number {
	return Math.max(1, mostTextRows(size) - FIELD_ROWS);
}

/** First row of the page that can be on top in this terminal. */
export function lastPaletteTop(state: State, overlay: PaletteOverlay): number {
	return Math.max(0, palettePage(state, overlay).lines.length - pageRows(state));
}

/** The commands that are shown, in the order of the page. */
export function shownCommands(state: State, { query }: PaletteOverlay): readonly Command[] {
	return query.text.trim() === "" ? inSections(state) : matchingCommands(state, query.text);
}

/** All rows of the page, and where the commands stand on it. */
export const palettePage = memoLast((state: State, overlay: PaletteOverlay): PalettePage => {
	const { columns, width } = columnsFor(state, overlay);
	const pieces = overlay.query.text.trim() === "" ? allPieces(state, width) : foundPieces(state, overlay, width);
	return placePieces(pieces, columns, width, overlay.index);
});

/** The command at a cell of the screen; undefined where there is none. */
export function commandAtCell(state: State, overlay: PaletteOverlay, cell: Cell): number | undefined {
	const view = selectPalette(state, overlay);
	const top = Math.min(overlay.top, lastPaletteTop(state, overlay));
	const origin = textCell(view, FIELD_ROWS, 0);
	const row = cell.y - origin.y + top;
	const column = cell.x - origin.x;
	if (cell.y < origin.y || cell.y >= origin.y + view.body.length - FIELD_ROWS) return undefined;
	const { width } = columnsFor(state, overlay);
	return palettePage(state, overlay).items.find(
		(item) => column >= item.x && column < item.x + width && row >= item.row && row < item.row + item.height,
	)?.item;
}

function columnsFor({ size }: State, { query }: PaletteOverlay): { readonly columns: number; readonly width: number } {
	const room = Math.max(1, textColumns(size.columns));
	if (query.text.trim() !== "") return { columns: 1, width: Math.min(room, MOST_WIDTH) };
	const columns = Math.max(1, Math.min(MOST_COLUMNS, Math.floor((room + COLUMN_GAP) / (LEAST_WIDTH + COLUMN_GAP))));
	return { columns, width: Math.min(MOST_WIDTH, Math.floor((room - (columns - 1) * COLUMN_GAP) / columns)) };
}

function isPaneOrOverlay(context: Context): context is Exclude<Context, PageKind> {
	return context in PLACES;
}

/** The section about where the person is; that of a page has its own keys. */
function sectionHere(state: State): string | undefined {
	const context = contextOf(beneath(state));
	const own = ({ contexts }: Binding): boolean => contexts.length === 1 && contexts[0] === context;
	return OWN_SECTION[context] ?? state.environment.keymap.find(own)?.section;
}

/** The section about where the person is comes first, and what is for other places last. */
function inSections(state: State): readonly Command[] {
	const own = sectionHere(state);
	const rank = ({ isHere, binding }: Command): number => (isHere ? (binding.section === own ? 0 : 1) : 2);
	return allCommands(state).toSorted((a, b) => rank(a) - rank(b));
}

function allPieces(state: State, width: number): Piece[] {
	const context = contextOf(beneath(state));
	const place = isPaneOrOverlay(context) ? PLACES[context] : `in ${sectionHere(state)?.toLowerCase()}`;
	let before: string | undefined;
	const commands = inSections(state).flatMap((command, item): Piece[] => {
		const heading = command.isHere ? `${command.binding.section}, ${place}` : `${command.binding.section}, elsewhere`;
		const note = command.isHere ? undefined : command.contexts.join(", ");
		const piece = { lines: commandLines(command, note, width), item };
		if (heading === before) return [piece];
		before = heading;
		return [headingPiece(heading, width), piece];
	});
	return [...commands, ...explained("Signs", SIGNS, width), ...explained("What can be searched for", QUERIES, width)];
}

function foundPieces(state: State, { query }: PaletteOverlay, width: number): Piece[] {
	const found = matchingCommands(state, query.text);
	if (found.length === 0) return [{ lines: [[span("No command matches", "muted")]] }];
	return found.map((command, item) => ({ lines: commandLines(command, whyNot(state, command), width), item }));
}

function headingPiece(text: string, width: number): Piece {
	return { lines: [[], ...wrapLine([strong(text, "accent")], width)], isHeading: true };
}

function explained(title: string, list: readonly Explained[], width: number): Piece[] {
	const rows = list.map(({ sign, tone, meaning }): Piece => {
		const left = wrapText(cleanText(sign), keysWidth(width)).map((text) => span(text, tone));
		return { lines: twoColumns(left, [span(meaning)], width) };
	});
	return [headingPiece(title, width), ...rows];
}

/** A command in two columns, its keys and what it does, in as many rows as the longer one takes. */
function commandLines({ keys, binding }: Command, note: string | undefined, width: number): Line[] {
	const left = wrapText(cleanText(keys.join(", ")), keysWidth(width)).map((text) => span(text, "key"));
	const right = [span(binding.help), ...(note === undefined ? [] : [span(`  (${note})`, "muted")])];
	return twoColumns(left, right, width);
}

function twoColumns(left: readonly Span[], right: Line, width: number): Line[] {
	const cells = keysWidth(width);
	const lines = wrapLine(right, Math.max(1, width - cells - GAP));
	return Array.from({ length: Math.max(left.length, lines.length) }, (_, row) => {
		const part = left[row] ?? { text: NO_TEXT };
		const padded = { ...part, text: padText(part.text, Math.max(textWidth(part.text), cells) + GAP) };
		return [padded, ...(lines[row] ?? [])];
	});
}

function keysWidth(width: number): number {
	return Math.min(MOST_KEYS_WIDTH, Math.floor(width * KEYS_SHARE));
}
