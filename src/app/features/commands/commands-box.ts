import { editedText } from "../../../ui/field/edit.ts";
import { scrollTo } from "../../../ui/page/page-rows.ts";
import { showEdited } from "../../../ui/pane-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { highlight, type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { Box, Cell, HelpView } from "../../../ui/view.ts";
import { keyHints } from "../../world/keys/key.ts";
import { NEXT_STEPS } from "../../world/keys/undo-keys.ts";
import type { Feature } from "../../world/page/page.ts";
import { overlayWidth, textCell, textColumns } from "../../world/screen/menus.ts";
import { type CommandsOverlay, closeOverlay, openOverlay, replaceTop, topOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import {
	refusedCommands,
	SAVED_SECTION,
	type ShownCommand,
	shownCommands,
	typedOnlyCount,
	USED_COMMANDS,
} from "./list-commands.ts";

export function openCommands(state: State): State {
	return openOverlay(NEXT_STEPS.renew(state), UNASKED);
}

/** Closes the box, and runs the highlighted command as soon as the screen shows its subject, or says why it cannot act there. */
export function runChosen(state: State): Transition {
	const overlay = state.overlays.at(-1);
	if (overlay?.kind !== "palette") return transition(state);
	const below = closeOverlay(state);
	const chosen = shownCommands(state, overlay)[overlay.index] ?? refusedCommands(state, overlay)[0];
	if (chosen === undefined) return transition(state);
	const { command, binding, reason } = chosen;
	if (binding === undefined || reason !== undefined) return transition(say(below, whyRefused(chosen), "warning"));
	const { id } = command;
	if (command.section === SAVED_SECTION) return binding.run(below);
	const recent = [id, ...USED_COMMANDS.of(below).recent.filter((other) => other !== id)];
	const waiting = [...below.waiting, { type: "command", id, at: below.now } as const];
	return transition({ ...USED_COMMANDS.with(below, { recent }), waiting });
}

/** Cells of a row of the box, at most. */
const WIDEST = 72;
/** Rows of the box besides the commands: the border, the field and the hint. */
const OTHER_ROWS = 4;
const FIELD_ROWS = 1;
const PROMPT = "❯ ";
const MARK_WIDTH = 2;

/** The field, and below it the commands: in groups, or those that match what is typed. */
export function selectCommands(state: State, overlay: CommandsOverlay): HelpView {
	const box = commandsBox(state);
	const room = textColumns(box.width);
	const commands = shownCommands(state, overlay);
	const rows = rowsOf(state, overlay);
	const height = commandRows(state);
	const top = topOf(rows, overlay, height);
	const drawn = rows.slice(top, top + height).map((row) => drawRow(row, overlay.index, room));
	const none = rows.length === 0 ? noneRows(state, overlay, room).slice(0, height) : [];
	const field = showEdited(overlay.query, Math.max(1, room - PROMPT.length));
	const typed: Span = field.text === "" ? span("type a name", "muted") : span(field.text);
	const blank = Array.from({ length: Math.max(0, height - drawn.length - none.length) }, (): Line => []);
	return {
		kind: "help",
		...box,
		title: [strong("Commands")],
		body: [cutLine([span(PROMPT, "accent"), typed], room), ...none, ...drawn, ...blank],
		position: cleanText(
			commands.length === 0 ? "" : `${formatCount(overlay.index + 1)}/${formatCount(commands.length)}`,
		),
		cursor: textCell(box, 0, PROMPT.length + field.cursor),
		hint: keyHints(state, room),
	};
}

/** Rows of commands and headings that are seen at a time. */
export function commandRows(state: State): number {
	return Math.max(1, commandsBox(state).height - OTHER_ROWS);
}

export function commandAtCell(state: State, overlay: CommandsOverlay, cell: Cell): number | undefined {
	const first = textCell(commandsBox(state), FIELD_ROWS, 0);
	const rows = rowsOf(state, overlay);
	const height = commandRows(state);
	const row = cell.y - first.y;
	if (row < 0 || row >= height || cell.x < first.x) return undefined;
	return rows[topOf(rows, overlay, height) + row]?.index;
}

/** At the top of the screen, as high as what is shown unasked: it stays where it is while something is typed. */
function commandsBox(state: State): Box {
	const { size } = state;
	const width = overlayWidth(WIDEST, size);
	const height = Math.min(size.rows - 2, rowsOf(state, UNASKED).length + OTHER_ROWS);
	return { x: Math.floor((size.columns - width) / 2), y: 1, width, height };
}

const UNASKED: CommandsOverlay = { kind: "palette", query: editedText(""), index: 0, top: 0 };

/** A row of the box: a heading, a command with its index among those that are shown, or last how many more there are. */
interface Row {
	readonly more?: number;
	readonly heading?: string;
	readonly shown?: ShownCommand;
	readonly index?: number;
}

function rowsOf(state: State, overlay: CommandsOverlay): readonly Row[] {
	const { query } = overlay;
	const commands = shownCommands(state, overlay);
	if (query.text.trim() !== "") return commands.map((each, index) => ({ shown: each, index }));
	let lastHeading: string | undefined;
	const more = typedOnlyCount(state);
	const rows = commands.flatMap((each, index): Row[] => {
		const { heading } = each;
		const row = { shown: each, index };
		if (heading === lastHeading) return [row];
		lastHeading = heading;
		return [{ heading }, row];
	});
	return more === 0 ? rows : [...rows, { more }];
}

/** Scrolled to the highlighted command, which stays highlighted from then on. */
export function scrolledToCommand(state: State, overlay: CommandsOverlay): CommandsOverlay {
	const commands = shownCommands(state, overlay);
	const rows = rowsOf(state, overlay);
	// The heading above the first command belongs to it, and what is said below the last one to that.
	const isLast = overlay.index === commands.length - 1;
	const at = overlay.index === 0 ? 0 : isLast ? rows.length - 1 : rowOf(rows, overlay);
	const highlighted = commands[overlay.index]?.command.id;
	return { ...overlay, highlighted, top: scrollTo(overlay.top, at, commandRows(state), rows.length) };
}

/** Keeps the highlight on its command when others appear above it, such as undo once the journal has been read. */
function keepHighlight(state: State): State {
	const overlay = topOverlay(state);
	if (overlay?.kind !== "palette") return state;
	const commands = shownCommands(state, overlay);
	const at = commands.findIndex(({ command }) => command.id === overlay.highlighted);
	const index = at === -1 ? Math.max(0, Math.min(overlay.index, commands.length - 1)) : at;
	const isKept = index === overlay.index && (at !== -1 || commands.length === 0);
	return isKept ? state : replaceTop(state, scrolledToCommand(state, { ...overlay, index }));
}

export const COMMANDS_FEATURE: Feature = { on: {}, steps: { pages: [keepHighlight] } };

/** The first row in sight; the highlighted one is, whatever the size of the box is now. */
function topOf(rows: readonly Row[], overlay: CommandsOverlay, height: number): number {
	const at = rowOf(rows, overlay);
	return Math.max(0, Math.min(Math.max(overlay.top, at - height + 1), at, rows.length - height));
}

function rowOf(rows: readonly Row[], { index }: CommandsOverlay): number {
	return Math.max(
		0,
		rows.findIndex((row) => row.index === index),
	);
}

function drawRow({ more, heading, shown, index }: Row, chosen: number, room: number): Line {
	if (more !== undefined) return cutLine([span(`  and ${formatCount(more)} more: type to find them`, "muted")], room);
	if (shown === undefined) return cutLine([span("  "), span(sanitizeLine(heading ?? ""), "accent")], room);
	const isChosen = index === chosen;
	const right: Line = shown.reason === undefined ? [span(`  ${shown.command.key}`, "key")] : [];
	const why: Line = [span(sanitizeLine(whyRefused(shown)), "muted")];
	const words = shown.reason === undefined ? nameOf(shown, room - MARK_WIDTH - lineWidth(right)) : why;
	const line = joinEnds([span(isChosen ? "› " : "  ", "accent"), ...words], right, room);
	return isChosen ? line.map((part): Span => ({ ...part, ground: "cursor" })) : line;
}

/** Cells of what a command acts on, at most. */
const WIDEST_SUBJECT = 40;

/** The name of a command, and what it acts on: "Move “OpenAPI orders” to trash…", "Undo: archive 3 sessions". */
function nameOf({ command, about, subject, matched }: ShownCommand, room: number): Line {
	const { name, subject: place } = command;
	const end =
		about === undefined && place !== undefined && subject !== undefined ? place.at : name.replace("…", "").length;
	const [start, rest] = [name.slice(0, end), name.slice(end)];
	const rangesIn = (part: string, from: number) =>
		[...matched].flatMap((at) => (at >= from && at < from + part.length ? [[at - from, at - from + 1] as const] : []));
	const cells = Math.min(WIDEST_SUBJECT, room - lineWidth([span(name), span(place?.before ?? "")]));
	const of = place === undefined || end !== place.at ? ": " : place.before;
	const named = about ?? subject?.(Math.max(1, cells - 2));
	return [
		...highlight(start, rangesIn(start, 0)),
		...(named === undefined ? [] : [span(of), span(sanitizeLine(named))]),
		...highlight(rest, rangesIn(rest, end)),
	];
}

/** Where nothing that can act matches: what matches, and why it cannot act now. */
function noneRows(state: State, overlay: CommandsOverlay, room: number): readonly Line[] {
	const refused = refusedCommands(state, overlay);
	if (refused.length === 0) return [[span("  No command matches", "muted")]];
	return refused.map((each) => cutLine([span(`  ${sanitizeLine(whyRefused(each))}`, "muted")], room));
}

function whyRefused({ command, reason }: ShownCommand): string {
	return `${command.name.replace("…", "")}: ${reason}`;
}
