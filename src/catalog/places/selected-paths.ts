import type { SessionRow } from "../model/row.ts";
import type { Request } from "./protocol.ts";

/** Paths of all lines of a request, at most. */
const MAX_SELECTED = 500_000;

/** The paths of a request so far. */
interface Selected {
	readonly id: number;
	/** Undefined for all. */
	readonly only: Set<string> | undefined;
	readonly except: Set<string>;
}

/** The sessions that a request for sums selects, whose paths may come in several lines. */
export class SelectedPaths {
	/** The request whose paths are still coming. */
	#selected: Selected | undefined;

	/** Adds the paths of a line; returns the test of the sessions once all have come. Throws if they are too many. */
	add({ id, only, except = [], more = false }: Extract<Request, { readonly type: "stats" }>) {
		const before = this.#selected?.id === id ? this.#selected : { id, only: undefined, except: new Set<string>() };
		const selected = { ...before, only: only === undefined ? before.only : (before.only ?? new Set<string>()) };
		for (const path of only ?? []) selected.only?.add(path);
		for (const path of except) selected.except.add(path);
		if ((selected.only?.size ?? 0) + selected.except.size > MAX_SELECTED)
			throw new Error(`sums are for at most ${MAX_SELECTED} paths`);
		this.#selected = more ? selected : undefined;
		if (more) return undefined;
		return ({ path }: SessionRow): boolean => selected.only?.has(path) !== false && !selected.except.has(path);
	}

	/** The request was canceled. */
	forget(id: number): void {
		if (this.#selected?.id === id) this.#selected = undefined;
	}
}
