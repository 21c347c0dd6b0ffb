import type { ReadMarks } from "../../../changes/noted/marks.ts";
import { keepSame } from "../../../changes/noted/marks.ts";
import type { State } from "../state/state.ts";
import { say } from "../state/transition.ts";

/** Puts the pins and tags of the file into the state; what is new among its problems is said once. */
export function applyMarks(state: State, { marks, problems }: ReadMarks): State {
	const next = { ...state, marks: keepSame(state.marks, marks), markProblems: problems };
	const fresh = problems.find((problem) => !state.markProblems.includes(problem));
	return fresh === undefined ? next : say(next, fresh, "warning");
}
