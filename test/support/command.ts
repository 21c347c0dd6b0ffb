import { KEYMAP } from "../../src/app/core/keys/keymap.ts";
import type { Action } from "../../src/app/world/state/action.ts";
import { plainName } from "../../src/app/world/state/binding.ts";

/** What runs a command, by the id of its binding: its name is typed into the box of commands, as a person does it. */
export function command(id: string): readonly [Action, Action, Action] {
	return [
		{ type: "keys", keys: ["ctrl+k"] },
		{ type: "text", text: nameOf(id) },
		{ type: "keys", keys: ["enter"] },
	];
}

/** What is typed to find the command with this id: its name, of two halves ("Pin {}, or unpin {}") the first. */
export function nameOf(id: string): string {
	const name = KEYMAP.find((binding) => binding.id === id && binding.name !== undefined)?.name;
	if (name === undefined) throw new Error(`no command has the id "${id}"`);
	return plainName(name.split(", or ")[0] ?? name);
}

/** The same actions, with those that run a command where keys have its id in angle brackets. */
export function withCommands(actions: readonly Action[]): readonly Action[] {
	return actions.flatMap((action) => (action.type === "keys" ? action.keys.flatMap(actionsOf) : [action]));
}

function actionsOf(key: string): readonly Action[] {
	const id = /^<(.+)>$/.exec(key)?.[1];
	return id === undefined ? [{ type: "keys", keys: [key] }] : command(id);
}
