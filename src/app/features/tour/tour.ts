import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { searchOf } from "../../world/list/list-search.ts";
import type { Feature } from "../../world/page/page.ts";
import { PANES } from "../../world/state/binding.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

/** How far the tour through the demo has come. */
interface TourState {
	/** Whether the tour is shown; undefined until the person decides: then as the program was started. */
	readonly isOn: boolean | undefined;
	readonly step: number;
	/** Number of pinned sessions when the step began. */
	readonly pinned: number;
}

const TOUR = defineSlice<TourState>("tour", { isOn: undefined, step: 0, pinned: 0 });

/** What the person is asked to do, and whether they have. */
interface TourStep {
	readonly text: string;
	readonly isDone: (state: State, begun: TourState) => boolean;
}

const STEPS: readonly TourStep[] = [
	{
		text: "Type “expression”: whatever was said, anywhere, is found",
		isDone(state) {
			const { query, results } = searchOf(state);
			return query.text.length > 2 && results.size > 0;
		},
	},
	{ text: "→ opens the session at the hit, and → again its text", isDone: ({ focus }) => focus === "reader" },
	{
		text: "esc goes back, a step at a time, to the whole list",
		isDone: ({ focus, list }) => focus === "list" && list.query.text === "",
	},
	{
		text: "ctrl+k finds every command by its name: type “pin”, enter",
		isDone: ({ marks }, { pinned }) => marks.pinned.size > pinned,
	},
	{
		text: "ctrl+_ undoes it, as it undoes every change",
		isDone: ({ marks }, { pinned }) => marks.pinned.size < pinned,
	},
	{ text: "That was the tour. ctrl+k, then ?, shows all keys and signs", isDone: ({ focus }) => focus !== "list" },
];

/** Shows the next step once one is done. */
function reconcileTour(state: State): State {
	const step = stepOf(state);
	if (step === undefined || !step.isDone(state, TOUR.of(state))) return state;
	const next = TOUR.of(state).step + 1;
	const pinned = state.marks.pinned.size;
	return TOUR.with(state, next < STEPS.length ? { step: next, pinned } : { isOn: false });
}

export const TOUR_FEATURE: Feature = { on: {}, steps: { pages: [reconcileTour] } };

/** What to do next, and the sign that ends the tour; undefined without a tour. */
export function tourLine(state: State): Line | undefined {
	const step = stepOf(state);
	if (step === undefined) return undefined;
	const number = TOUR.of(state).step + 1;
	const isLast = number === STEPS.length;
	const place = isLast ? "tour " : `${formatCount(number)} of ${formatCount(STEPS.length - 1)} `;
	return [strong(place, "accent"), span(step.text), { ...span(" × ", "muted"), press: "tour" }];
}

function stepOf(state: State): TourStep | undefined {
	const { isOn = state.environment.tour === true, step } = TOUR.of(state);
	return isOn ? STEPS[step] : undefined;
}

// biome-ignore format: a table
export const TOUR_KEYS: readonly Key[] = [
	{ id: "tour", name: "Start the tour, or end the tour", synonyms: "demo, introduction, help", keys: [], contexts: PANES,
		when: ({ environment }) => environment.demo, isOn: (state) => stepOf(state) !== undefined, help: "try five things, one after the other, or end the tour", condition: "in the demo",
		run: change((state) => TOUR.with(state, { isOn: stepOf(state) === undefined, step: 0 })) },
];
