import type { Binding } from "./state/binding.ts";
import type { State, Transition } from "./state/state.ts";
import { transition } from "./state/transition.ts";

/** A row of the keymap; `keymap.ts` adds the section. */
export type Key = Omit<Binding, "section">;

/** What a key does with a thing that may not be there. */
export type Guarded = Required<Pick<Binding, "needs" | "acts" | "run">>;

/** What changes only the state. */
export function change(next: (state: State) => State): Binding["run"] {
	return (state) => transition(next(state));
}

/** Does something with what `select` finds; `missing`: why it cannot where that finds nothing, `refuse`: where it may not. */
export function guarded<Thing>(
	select: (state: State) => Thing | undefined,
	missing: string,
	run: (state: State, thing: Thing) => Transition,
	refuse?: (state: State, thing: Thing) => string | undefined,
): Omit<Guarded, "acts"> {
	return {
		needs(state) {
			const thing = select(state);
			return thing === undefined ? missing : refuse?.(state, thing);
		},
		run(state) {
			const thing = select(state);
			return thing === undefined ? transition(state) : run(state, thing);
		},
	};
}
