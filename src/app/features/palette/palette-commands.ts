import { memoLast } from "../../../shared/memo.ts";
import { keyLabel } from "../../world/keys/key-hints.ts";
import { type Binding, type Context, contextOf, sectionsOf } from "../../world/state/binding.ts";
import type { State } from "../../world/state/state.ts";

/** What can be asked for: all bindings that do the same. */
export interface Command {
	/** The one to run, if one of them works where the person is. */
	readonly binding: Binding;
	/** Names of the keys, as people read them. */
	readonly keys: readonly string[];
	readonly contexts: readonly Context[];
	/** Whether it is for where the person is. */
	readonly isHere: boolean;
}

/** The state that a command acts on: without the page of commands itself. */
export function beneath(state: State): State {
	return { ...state, overlays: state.overlays.slice(0, -1) };
}

/** All commands, those for where the person is first; in the order of the sections. */
export function allCommands(state: State): readonly Command[] {
	return commandsFor(state.environment.keymap, contextOf(beneath(state)));
}

const commandsFor = memoLast((keymap: readonly Binding[], from: Context): readonly Command[] => {
	const commands = [...Map.groupBy(keymap, ({ id, help }) => `${id} ${help}`).values()].flatMap((same): Command[] => {
		const [first] = same;
		const here = same.filter(({ contexts }) => contexts.includes(from));
		const binding = here[0] ?? first;
		if (binding === undefined) return [];
		return [
			{
				binding,
				// What is a key elsewhere may be text here.
				keys: [...new Set((here.length > 0 ? here : same).flatMap(({ keys }) => keys.map(keyLabel)))],
				contexts: [...new Set(same.flatMap(({ contexts }) => contexts))],
				isHere: here.length > 0,
			},
		];
	});
	const sections = sectionsOf(keymap);
	const place = ({ binding, isHere }: Command): number =>
		sections.indexOf(binding.section) + (isHere ? 0 : sections.length);
	return commands.toSorted((a, b) => place(a) - place(b));
});

/** Why a command cannot act now; undefined when it can. */
export function whyNot(state: State, { binding, contexts, isHere }: Command): string | undefined {
	if (!isHere) return `only in: ${contexts.join(", ")}`;
	const below = beneath(state);
	if (binding.when?.(below) === false) return "there is nothing for it to do now";
	return binding.needs?.(below);
}

/** The commands with all words of a query, those that can act first. */
export function matchingCommands(state: State, query: string): readonly Command[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const matching = allCommands(state).filter(({ binding, keys }) => {
		const text =
			`${binding.help} ${binding.id} ${binding.short ?? ""} ${binding.section} ${keys.join(" ")}`.toLowerCase();
		return words.every((word) => text.includes(word));
	});
	const can = (command: Command): number => (whyNot(state, command) === undefined ? 0 : command.isHere ? 1 : 2);
	return matching.toSorted((a, b) => can(a) - can(b));
}
