import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { change, type Key, PANES } from "../../world/keys/key.ts";
import { NEXT_STEPS, undoHint } from "../../world/keys/undo-keys.ts";
import { searchOf } from "../../world/list/list-search.ts";
import type { Feature } from "../../world/page/page.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

interface TourState {
	/** Whether the tour is shown; undefined until the person decides: then as the program was started. */
	readonly isOn: boolean | undefined;
	/** Indexes of the steps that were done, in whatever order. */
	readonly done: ReadonlySet<number>;
	/** Number of pinned sessions at the last change of `done`. */
	readonly pinned: number;
	/** Id of the change that redo would have made when the tour began. */
	readonly redo: string | undefined;
}

const FIRST: TourState = { isOn: undefined, done: new Set(), pinned: 0, redo: undefined };
const TOUR = defineSlice<TourState>("tour", FIRST);

interface TourStep {
	readonly text: (state: State) => string;
	readonly isDone: (state: State, tour: TourState) => boolean;
}

/** Index of the step after which going back is one. */
const OPENING = 1;

const STEPS: readonly TourStep[] = [
	{
		text: ({ environment }) =>
			`Type ${environment.demo ? "“expression”" : "a word that you remember"}: whatever was said, anywhere, is found`,
		isDone(state) {
			const { query, results } = searchOf(state);
			return query.text.length > 2 && results.size > 0;
		},
	},
	{ text: () => "→ opens the session at the hit, and → again its text", isDone: ({ focus }) => focus === "reader" },
	{
		text: () => "esc goes back, a step at a time, to the whole list",
		isDone: ({ focus, list }, { done }) => done.has(OPENING) && focus === "list" && list.query.text === "",
	},
	{
		text: () => "ctrl+k finds every command by its name: type “pin”, enter",
		isDone: ({ marks }, { pinned }) => marks.pinned.size > pinned,
	},
	{
		text: (state) => undoHint(state, "undoes it, as it undoes every change"),
		isDone: (state, { redo }) => redoOf(state) !== undefined && redoOf(state) !== redo,
	},
];

/** Id of the last change that was undone in this window. */
function redoOf(state: State): string | undefined {
	return NEXT_STEPS.of(state).value?.redo?.id;
}

const LAST = "That was the tour. ctrl+k, then ?, shows all keys and signs";

/** Notes the steps that are done; after the last one the tour ends as soon as the person goes on. */
function reconcileTour(state: State): State {
	const tour = TOUR.of(state);
	if (!isShown(state)) return state;
	if (tour.done.size === STEPS.length) return state.focus === "list" ? state : TOUR.with(state, { isOn: false });
	const fresh = [...STEPS.keys()].filter((index) => !tour.done.has(index) && STEPS[index]?.isDone(state, tour));
	const pinned = state.marks.pinned.size;
	if (fresh.length === 0 && pinned >= tour.pinned) return state;
	return TOUR.with(state, { done: tour.done.union(new Set(fresh)), pinned });
}

export const TOUR_FEATURE: Feature = { on: {}, steps: { pages: [reconcileTour] } };

/** What to do next, and the sign that ends the tour; undefined without a tour. */
export function tourLine(state: State): Line | undefined {
	if (!isShown(state)) return undefined;
	const { done } = TOUR.of(state);
	const index = STEPS.findIndex((_, at) => !done.has(at));
	const step = STEPS[index];
	const place = step === undefined ? "tour " : `${formatCount(index + 1)} of ${formatCount(STEPS.length)} `;
	return [strong(place, "accent"), span(step?.text(state) ?? LAST), { ...span(" × ", "muted"), press: "tour" }];
}

function isShown(state: State): boolean {
	return TOUR.of(state).isOn ?? state.environment.tour === true;
}

function toggleTour(state: State): State {
	return TOUR.with(state, { ...FIRST, isOn: !isShown(state), pinned: state.marks.pinned.size, redo: redoOf(state) });
}

// biome-ignore format: a table
export const TOUR_KEYS: readonly Key[] = [
	{ id: "tour", name: "Take the tour, or end the tour", synonyms: "demo, introduction, help", keys: [], contexts: PANES,
		isOn: isShown, help: "try five things, in any order, or end the tour", run: change(toggleTour) },
];
