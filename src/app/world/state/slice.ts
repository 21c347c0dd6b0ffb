import type { State } from "./state.ts";

/** A feature's own part of the state. Only code with this value can read and change it; no feature imports another's. */
export interface Slice<Part> {
	readonly of: (state: State) => Part;
	/** The state with some fields of this part replaced. */
	readonly with: (state: State, fields: Partial<Part>) => State;
}

/** A part of the state with the initial value `first`. */
export function defineSlice<Part extends object>(name: string, first: Part): Slice<Part> {
	const key = Symbol(name);
	// Nothing else has this symbol, so what is stored under it was put there by `with`.
	const of = ({ slices }: State): Part => (slices[key] as Part | undefined) ?? first;
	return {
		of,
		with: (state, fields) => ({ ...state, slices: { ...state.slices, [key]: { ...of(state), ...fields } } }),
	};
}
