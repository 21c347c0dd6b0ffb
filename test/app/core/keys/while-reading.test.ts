import { expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { update } from "../../../../src/app/core/update.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { command } from "../../../support/command.ts";
import { startOf } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

const act = (state: State, ...actions: readonly Action[]): State =>
	actions.reduce((now, action) => update(now, action, NOW + 1000)[0], state);

/** The tree of a session that is being read, and what ends that. */
async function reading(): Promise<readonly [state: State, read: Action]> {
	const event = { type: "rows", rows: [makeRow("one", { name: "Alpha" })] } as const;
	const start = startOf({ columns: 160, rows: 45 }, { cwd: "/home/me" });
	const state = act(start, { type: "catalog", event }, LISTED, { type: "keys", keys: ["right"] });
	const session = await sessionOf(user("p", null, 1, "question"), assistant("a", "p", 2, "the answer"));
	return [state, { type: "session-read", request: state.request, session }];
}

test.each(["tree", "reader", "branches"] as const)(
	"in the %s each key that cannot act only because the session is being read waits for it",
	async (focus) => {
		const [state, read] = await reading();
		expect(state).toMatchObject({ focus: "tree", detail: { status: "loading" } });
		const [now, then] = [
			{ ...state, focus },
			{ ...act(state, read), focus },
		];
		const lost = KEYMAP.filter(
			({ contexts, needs, acts }) =>
				contexts.includes(focus) && acts === undefined && needs?.(now) !== undefined && needs(then) === undefined,
		);
		expect(lost.map(({ id }) => id)).toEqual([]);
	},
);

test("keys and chosen commands act when the session is there", async () => {
	const [state, read] = await reading();
	const after = (...actions: readonly Action[]): State => act(state, ...actions, read);
	expect(after({ type: "keys", keys: ["right"] })).toMatchObject({ focus: "reader", waiting: [] });
	expect(after({ type: "keys", keys: ["tab"] })).toMatchObject({ focus: "branches", waiting: [] });
	expect(after({ type: "keys", keys: ["home"] })).toMatchObject({ tree: { selected: "p" }, waiting: [] });
	expect(after(...command("branches"))).toMatchObject({ focus: "branches", overlays: [], waiting: [] });
	expect(after(...command("changes"))).toMatchObject({ overlays: [{ kind: "changes" }], waiting: [] });
	expect(after(...command("label"))).toMatchObject({ overlays: [{ kind: "prompt" }], waiting: [] });
});
