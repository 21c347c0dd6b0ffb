import { commandFor } from "../keys/keymap.ts";
import type { Action } from "../model/action.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { commands } from "./commands.ts";
import { handleAction } from "./handle-action.ts";
import { reconcile } from "./reconcile.ts";
import { typeText } from "./text-input.ts";

/** The whole behaviour of the browser: what becomes of the state, and what is to be done outside. Pure. */
export function update(state: State, action: Action): Transition {
	switch (action.type) {
		case "keys":
			return action.keys.reduce<Transition>(
				(before, key) => chain(before, (now) => press(now, key)),
				transition(state),
			);
		case "text":
			return reconciled(transition(typeText(quiet(state), action.text)));
		case "command":
			return reconciled(commands[action.command](quiet(state)));
		default:
			return reconciled(handleAction(state, action));
	}
}

/** One key: a command where the keymap has one, else text to type. */
function press(state: State, key: string): Transition {
	const command = commandFor(state, key);
	if (command !== undefined) return reconciled(commands[command](quiet(state)));
	return reconciled(transition(isText(key) ? typeText(quiet(state), key) : state));
}

function reconciled(before: Transition): Transition {
	return chain(before, reconcile);
}

function chain([state, effects]: Transition, next: (state: State) => Transition): Transition {
	const [after, more] = next(state);
	return [after, [...effects, ...more]];
}

/** The last message has been seen by whoever presses a key. */
function quiet(state: State): State {
	return state.message === undefined ? state : { ...state, message: undefined };
}

/** Names of keys are longer than one character; a typed grapheme of several code units holds something beyond ASCII. */
function isText(key: string): boolean {
	return key.length === 1 || /[^\u0020-\u007e]/.test(key);
}
