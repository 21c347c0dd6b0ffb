import { commandFor } from "../keys/keymap.ts";
import type { Action } from "../model/action.ts";
import type { State } from "../model/state.ts";
import { act } from "./act.ts";
import { commands } from "./commands.ts";
import { settle } from "./settle.ts";
import { type Step, step } from "./step.ts";
import { typeText } from "./typing.ts";

/** The whole behaviour of the browser: what becomes of the state, and what is to be done outside. Pure. */
export function update(state: State, action: Action): Step {
	switch (action.type) {
		case "keys":
			return action.keys.reduce<Step>((before, key) => chain(before, (now) => press(now, key)), step(state));
		case "text":
			return settled(step(typeText(quiet(state), action.text)));
		case "command":
			return settled(commands[action.command](quiet(state)));
		default:
			return settled(act(state, action));
	}
}

/** One key: a command where the keymap has one, else text to type. */
function press(state: State, key: string): Step {
	const command = commandFor(state, key);
	if (command !== undefined) return settled(commands[command](quiet(state)));
	return settled(step(isText(key) ? typeText(quiet(state), key) : state));
}

function settled(before: Step): Step {
	return chain(before, settle);
}

function chain([state, effects]: Step, next: (state: State) => Step): Step {
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
