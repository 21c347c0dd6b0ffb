import { notedQuery } from "../list/select-saved.ts";
import { type Binding, contextOf } from "../state/binding.ts";
import type { State, Transition } from "../state/state.ts";
import { withWayBack } from "./way-back.ts";

/** Runs a binding, and notes what led to it: the page, for the way back, and the query of the list. */
export function runBinding(state: State, binding: Binding): Transition {
	const isAction = contextOf(state) === "list" && (binding.acts === "session" || binding.id === "resume");
	const [next, effects] = binding.run(isAction ? notedQuery(state) : state);
	return [withWayBack(state, next, binding.id), effects];
}
