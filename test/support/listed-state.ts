import { initialState } from "../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../src/app/core/keys/keymap.ts";
import { update } from "../../src/app/core/update.ts";
import type { Action } from "../../src/app/world/state/action.ts";
import type { Effect } from "../../src/app/world/state/effect.ts";
import type { Environment, State } from "../../src/app/world/state/state.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import type { Session } from "../../src/store/read/read-session.ts";
import type { Size } from "../../src/ui/view.ts";
import { withCommands } from "./command.ts";
import { makeRow, NOW } from "./rows.ts";
import { assistant, sessionOf, user } from "./session-builder.ts";

/** The browser of this size before anything is listed, started in ~/project; `fields` of its environment, and what it remembers. */
export function startOf(
	size: Size,
	fields: Partial<Environment> = {},
	remembered?: Parameters<typeof initialState>[3],
): State {
	const place = { home: "/home/me", cwd: "/home/me/project" } as const;
	return initialState({ ...place, demo: false, keymap: KEYMAP, problems: [], ...fields }, size, NOW, remembered);
}

/** The browser before anything is listed. */
export const start = startOf({ columns: 120, rows: 30 });

/** What keeps the screen up, which any action may start. */
function isBeside(effect: Effect): boolean {
	if (effect.type === "remember") return effect.noted.list === undefined;
	return effect.type === "watch-visible" || effect.type === "load";
}

/** Runs actions one after the other; the effects of all of them, except for those that only serve the screen. */
export function run(
	state: State,
	...actions: readonly Action[]
): { readonly state: State; readonly effects: Effect[] } {
	const effects: Effect[] = [];
	for (const action of withCommands(actions)) {
		const [next, more] = update(state, action);
		state = next;
		effects.push(...more.filter((effect) => !isBeside(effect)));
	}
	return { state, effects };
}

/** The state after actions. */
export function stateAfter(state: State, ...actions: readonly Action[]): State {
	return run(state, ...actions).state;
}

/** Keys that are pressed at once. */
export const keys = (...pressed: readonly string[]): Action => ({ type: "keys", keys: pressed });
/** Sessions that were listed or have changed. */
export const rows = (...list: readonly SessionRow[]): Action => ({
	type: "catalog",
	event: { type: "rows", rows: list },
});

/** Three sessions, the newest first; the last one is of another project. */
export const a = makeRow("a", { age: 1, name: "Alpha" });
export const b = makeRow("b", { age: 2 });
export const c = makeRow("c", { age: 3, cwd: "/elsewhere" });
/** All sessions are read. */
export const complete: Action = { type: "catalog", event: { type: "progress", read: 3, total: 3 } };
/** With the three sessions listed. */
export const listed = run(start, rows(a, b, c), complete).state;

/** With session `a` read too, the cursor of the list on it. */
export async function opened(): Promise<{ readonly state: State; readonly session: Session }> {
	const session = await sessionOf(
		user("one", null, 1, "question"),
		assistant("two", "one", 2, "answer"),
		user("three", "two", 3, "more"),
	);
	return { session, state: run(listed, { type: "session-read", request: listed.request, session }).state };
}
