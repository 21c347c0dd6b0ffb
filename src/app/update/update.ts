import type { Action } from "../model/action.ts";
import { bindingFor, whyBlocked } from "../model/binding.ts";
import { isTypable } from "../model/key-name.ts";
import type { State } from "../model/state.ts";
import { say, type Transition, transition } from "../model/transition.ts";
import { handleAction } from "./handle-action.ts";
import { reconcile } from "./reconcile.ts";
import { typeText } from "./text-input.ts";

/** The whole behavior of the browser: the next state, and the effects to run. Pure. */
export function update(state: State, action: Action): Transition {
	switch (action.type) {
		case "keys":
			return action.keys.reduce<Transition>(
				(before, key) => chain(before, (now) => reconciled(press(withoutMessage(now), key))),
				transition(state),
			);
		case "text":
			return reconciled(transition(typeText(withoutMessage(state), action.text)));
		default:
			return reconciled(handleAction(state, action));
	}
}

/** One key: does what its binding says, else is typed, else says why it does nothing. */
function press(state: State, key: string): Transition {
	const binding = bindingFor(state, key);
	if (binding !== undefined) return binding.run(state);
	const typed = isTypable(key) ? typeText(state, key) : state;
	if (typed !== state) return transition(typed);
	const reason = whyBlocked(state, key);
	return transition(reason === undefined ? state : say(state, reason, "warning"));
}

function reconciled(before: Transition): Transition {
	return chain(before, reconcile);
}

function chain([state, effects]: Transition, next: (state: State) => Transition): Transition {
	const [after, more] = next(state);
	return [after, [...effects, ...more]];
}

/** The message has been seen when the next key is pressed. */
function withoutMessage(state: State): State {
	return state.message === undefined ? state : { ...state, message: undefined };
}
