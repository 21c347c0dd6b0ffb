import type { SessionRow } from "../../../catalog/model/row.ts";
import { type FurtherNotes, questionAbout } from "../../../changes/engine/ask.ts";
import type { SessionsChange } from "../../../changes/kinds/kinds.ts";
import type { QuestionContext } from "../../../changes/kinds/sessions-kind.ts";
import { familiesOf, runsBelow } from "../list/families.ts";
import { menu, questionRows, textColumns } from "../screen/menus.ts";
import {
	type EffectQuestion,
	isPage,
	type MenuOverlay,
	openOverlay,
	replaceTop,
	topOverlay,
} from "../state/overlays.ts";
import { type State, say, type Transition, transition } from "../state/state.ts";

/** What questions about changes are asked with. */
export function knownOf({ catalog, marks, now, environment: { home, isTrashClosed } }: State): QuestionContext {
	return { ...knownRows(catalog.rows), live: catalog.live, marks, now, home, isTrashClosed };
}

export function knownRows(rows: ReadonlyMap<string, SessionRow>): Pick<QuestionContext, "rows" | "runsBelow"> {
	return { rows, runsBelow: (row) => runsBelow(row, familiesOf(rows)) };
}

interface AskOptions {
	/** Further sentences about the sessions that would be changed. */
	readonly more?: (state: State) => FurtherNotes;
	/** Whether "Cancel" is highlighted in any case. */
	readonly atCancel?: boolean;
}

/** Changes sessions, after asking where that kind of change asks. */
export function askToChange(
	state: State,
	change: SessionsChange,
	rows: readonly SessionRow[],
	{ more, atCancel = false }: AskOptions = {},
): Transition {
	const [first] = rows;
	if (first === undefined) return transition(state);
	const paths = rows.map(({ path }) => path);
	const ask = (now: State) => questionAbout(change, paths, knownOf(now), more?.(now));
	const question = ask(state);
	if (question.atOnce !== undefined) return transition(state, question.atOnce);
	const askedQuestion = atCancel ? { ...question, index: question.choices.length - 1 } : question;
	return [openOverlay(state, keptMenu(state, askedQuestion, ask)), [{ type: "refresh-live", path: first.path }]];
}

/** Archives sessions, or brings them back if all are archived. */
export function archiveOrBringBack(state: State, rows: readonly SessionRow[]): Transition {
	const listed = rows.filter(({ archived }) => archived !== true);
	return listed.length > 0
		? askToChange(state, { type: "archive" }, listed)
		: askToChange(state, { type: "bring-back" }, rows);
}

export function questionMenu(state: State, question: EffectQuestion): MenuOverlay {
	const { title, choices, index = 0, danger } = question;
	const body = questionRows(question, textColumns(state.size.columns));
	return menu(title, body, { items: choices, index, danger });
}

/** The menu of a question that is asked again whenever it would be another one. */
export function keptMenu(state: State, question: EffectQuestion, ask: (state: State) => EffectQuestion): MenuOverlay {
	return { ...questionMenu(state, question), question: { facts: factsOf(question), ask } };
}

/** The question after its facts have changed: it says so, and highlights the choice that does nothing. */
export function changedMenu(
	state: State,
	question: EffectQuestion,
	ask: (state: State) => EffectQuestion,
): MenuOverlay {
	const body = [{ text: "This has changed since you were asked.", tone: "warning" } as const, ...question.body];
	const index = Math.max(
		0,
		question.choices.findIndex(({ effect }) => effect === undefined),
	);
	return { ...keptMenu(state, question, ask), ...questionMenu(state, { ...question, body, index }) };
}

function factsOf({ title, facts, about, body }: EffectQuestion): string {
	return JSON.stringify([title, facts ?? [about, body]]);
}

/** Replaces the open question if it would be another one by now. */
export function refreshQuestion(state: State): State {
	const top = topOverlay(state);
	if (top?.kind !== "menu" || top.question === undefined) return state;
	const { facts, ask } = top.question;
	const question = ask(state);
	return factsOf(question) === facts ? state : replaceTop(state, changedMenu(state, question, ask));
}

/** Asks a question of an effect; if the person has opened something meanwhile, it becomes a message, and can be asked again. */
export function askFor(state: State, question: EffectQuestion): State {
	if (state.overlays.every(isPage)) return openOverlay(state, questionMenu(state, question));
	const body = question.body.map((note) => (typeof note === "string" ? note : note.text));
	return say(state, [question.title, question.about ?? "", ...body].filter(Boolean).join(" "), "warning");
}
