import { doneUntil, NEVER } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { isWaiting } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { changedSession } from "../../../changes/noted/marks.ts";
import { formatCount, shortenHome } from "../../../ui/text/format.ts";
import { chip, type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { change, type Key, onChosen, PANES } from "../../world/keys/key.ts";
import { familiesOf } from "../../world/list/families.ts";
import { toggleTerm, withScope } from "../../world/list/list-actions.ts";
import { areMarkedChosen, chosenRows, closeStage } from "../../world/list/marked.ts";
import { extentOfScope } from "../../world/list/scope.ts";
import { CHIP_TERMS } from "../../world/state/list-state.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

/** Something that narrows the list, or adds the sessions of other places. It stands before the text of the query, at every size. */
interface Chip {
	/** Its text, in full and for little room. */
	readonly label: string;
	readonly short: string;
	/** The command that a click on it runs, which takes it away. */
	readonly press: string;
}

/** All that says what is listed, apart from the typed text; the last one is taken away first. */
export function chipsOf(state: State): readonly Chip[] {
	const { terms, stage } = state.list;
	// Marked sessions are shown in every scope.
	if (stage !== undefined) {
		const count = formatCount(stage.paths.size);
		return [...termChips(terms), { label: `${count} marked`, short: `✓${count}`, press: "stage" }];
	}
	return [...scopeChip(state), ...termChips(terms)];
}

function termChips(terms: State["list"]["terms"]): readonly Chip[] {
	return terms.map((term) => {
		const { label, command } = CHIP_TERMS[term];
		return { label, short: label, press: command };
	});
}

function scopeChip(state: State): readonly Chip[] {
	const { environment, list } = state;
	const { scope } = list;
	const press = "drop-scope";
	if (scope === "all") return [];
	if (scope === "archived" || scope === "everywhere") return [{ label: scope, short: scope, press }];
	const [directory = ""] = extentOfScope(state).directories;
	const label = `${scope} ${shortenHome(directory, environment.home) || "no directory"}`;
	return [{ label, short: scope, press }];
}

function anyChip(state: State): boolean {
	return chipsOf(state).length > 0;
}

/** Takes away the last chip: the list shows more, and the cursor stays on its session. */
function dropLastChip(state: State): State {
	const { terms, stage } = state.list;
	if (stage !== undefined) return closeStage(state);
	const last = terms.at(-1);
	return last === undefined ? dropScope(state) : toggleTerm(state, last);
}

/** Lists the sessions of all projects again; after a single project those of the scope before. */
function dropScope(state: State): State {
	const { scope, scopeBefore } = state.list;
	if (scope !== "project") return withScope(state, "all");
	return { ...state, list: { ...state.list, scope: scopeBefore, cursorSet: true } };
}

/** "[repo ~/work/api ×] [named ×] ", the longest form first, then without the first chips: each is whole or not there. A click removes one. */
export function drawChips(chips: readonly Chip[]): readonly Line[] {
	const draw = (some: readonly Chip[], name: "label" | "short"): Line =>
		some.flatMap((chip) => drawChip(chip[name], chip.press));
	return [draw(chips, "label"), ...chips.map((_, index) => draw(chips.slice(index), "short"))];
}

function drawChip(text: string, press: string): Line {
	return [...chip(sanitizeLine(text), press), span(" ")];
}

const LIST = ["list"] as const;

const DONE_WITH = onChosen("mark as done", doneWith, { where: "anywhere" });
const NOT_WAITING = "This session is not waiting for you";

// biome-ignore format: a table
export const CHIP_KEYS: readonly Key[] = [
	{ id: "drop-chip", keys: ["backspace"], contexts: LIST, when: (state) => state.list.query.cursor === 0 && anyChip(state),
		pi: "tui.editor.deleteCharBackward", condition: "at the beginning of the text", help: "remove the last chip, such as [named ×]",
		run: change(dropLastChip) },
	{ id: "drop-scope", keys: [], contexts: LIST, help: "list the sessions of all projects again", run: change(dropScope) },
	{ id: "only-running", keys: [], contexts: LIST,
		help: "list only sessions that a pi has open, or all", run: change((state) => toggleTerm(state, "is:running")) },
	{ id: "only-waiting", keys: [], contexts: LIST,
		help: "list only sessions that asked or stopped midway in the last 14 days, or all", run: change((state) => toggleTerm(state, "is:waiting")) },
	{ id: "only-today", keys: [], contexts: LIST,
		help: "list only sessions with a message since midnight, or all", run: change((state) => toggleTerm(state, "on:today")) },
	{ id: "done-with", name: "Mark {} as done, or mark {} as waiting", synonyms: "waiting, dismiss, read, seen", keys: [], contexts: PANES, isOn: isDone,
		help: "clear “waits for you” until the next message, or set it again", ...DONE_WITH, needs: whyNotWaiting },
];

/** Escape with an empty text; further out than marks, so that it does not quit the browser. */
// biome-ignore format: a table
export const LEAVE_CHIP_KEYS: readonly Key[] = [
	{ id: "back", keys: ["escape"], contexts: LIST, short: "this machine", pi: "tui.select.cancel",
		when: ({ list: { scope, terms, stage } }) => scope === "everywhere" && terms.length === 0 && stage === undefined,
		help: "list only the sessions of this machine", condition: "in all places, if nothing is typed", run: change(dropScope) },
	{ id: "back", keys: ["escape"], contexts: LIST, short: wayOut, pi: "tui.select.cancel", when: anyChip,
		help: "remove the last chip, such as [named ×]", condition: "if nothing is typed", run: change(dropLastChip) },
];

/** What escape does, for the footer. */
function wayOut({ list: { stage, terms, scope } }: State): string {
	const term = terms.at(-1);
	if (stage !== undefined) return "all sessions";
	if (term !== undefined) return `not only ${CHIP_TERMS[term].label}`;
	return scope === "archived" ? "leave the archive" : "other projects";
}

/** Not asked about marked sessions, of which there may be ten thousand, since this is called for every key. */
function whyNotWaiting(state: State): string | undefined {
	const why = DONE_WITH.needs(state);
	if (why !== undefined || areMarkedChosen(state)) return why;
	const rows = chosenRows(state);
	return areDone(state, rows) || waitingAmong(state, rows).length > 0 ? undefined : NOT_WAITING;
}

function isDone(state: State): boolean {
	const rows = chosenRows(state);
	return rows.length > 0 && areDone(state, rows);
}

function areDone(state: State, rows: readonly SessionRow[]): boolean {
	return rows.every((row) => doneUntil(row, state.marks) !== NEVER) && waitingAmong(state, rows).length === 0;
}

function waitingAmong({ catalog, marks, now }: State, rows: readonly SessionRow[]): readonly SessionRow[] {
	const { runs } = familiesOf(catalog.rows);
	const facts = { counts: catalog.counts, live: catalog.live.sessions, marks, now: startOfDay(now), runs };
	return rows.filter((row) => row.id !== "" && isWaiting(row, facts));
}

/** Says of the sessions that wait that they need nothing more; if all of them are done with, that they may wait again. */
function doneWith(state: State, rows: readonly SessionRow[]): Transition {
	const { marks } = state;
	const isOn = !areDone(state, rows);
	const changed = isOn ? waitingAmong(state, rows) : rows;
	if (changed.length === 0) {
		const what = rows.length === 1 ? NOT_WAITING : "None of these sessions is waiting for you";
		return transition(say(state, what, "muted"));
	}
	const changes = changed.map((row) => {
		return { ...changedSession(row), done: isOn ? row.modified.getTime() : doneUntil(row, marks), on: isOn };
	});
	return transition(state, { type: "mark", paths: changed.map(({ path }) => path), changes });
}
