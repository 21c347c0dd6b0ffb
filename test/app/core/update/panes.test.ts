import { expect, test } from "vitest";
import { update } from "../../../../src/app/core/update.ts";
import { layoutFor } from "../../../../src/app/world/screen/layout.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { withCommands } from "../../../support/command.ts";
import { startOf } from "../../../support/listed-state.ts";
import { makeRow } from "../../../support/rows.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

/** The state after keys in a terminal of this size, with one session. */
async function after(columns: number, rows: number, ...keys: readonly string[]): Promise<State> {
	const row = makeRow("a", { age: 1 });
	const session = await sessionOf(user("one", null, 1, "question"), assistant("two", "one", 2, "answer"));
	let [state] = update(startOf({ columns, rows }, { cwd: "/home/me" }), {
		type: "catalog",
		event: { type: "rows", rows: [row] },
	});
	[state] = update(state, { type: "catalog", event: { type: "progress", read: 1, total: 1 } });
	for (const action of withCommands([{ type: "keys", keys }])) {
		[state] = update(state, action);
		[state] = update(state, { type: "session-read", request: state.request, session });
	}
	expect(state.waiting).toEqual([]);
	return state;
}

const panes = (state: State): string => {
	const { list, tree, reader } = layoutFor(state);
	const drawn = [list && "list", tree && "tree", reader && "reader"].filter((name) => name !== undefined);
	return `${drawn.join(" ")}; ${state.focus}`;
};

test("right moves through the panes to the full page, and left moves back", async () => {
	const seen: string[] = [];
	const way = ["right", "right", "right", "left", "left", "left"];
	for (let count = 0; count <= way.length; count++) seen.push(panes(await after(160, 45, ...way.slice(0, count))));
	expect(seen).toEqual([
		"list tree reader; list",
		"tree reader; tree",
		"tree reader; reader",
		"reader; reader",
		"tree reader; reader",
		"tree reader; tree",
		"list tree reader; list",
	]);
});

test("a full page opened from the tree returns there, with any key that goes back", async () => {
	for (const back of ["<full-page>", "left", "escape", "q", "ctrl+c", "<zoom>"])
		expect(panes(await after(160, 45, "right", "<full-page>", back))).toBe("tree reader; tree");
	expect(panes(await after(160, 45, "right", "<full-page>"))).toBe("reader; reader");
});

test("any pane can be zoomed, and esc ends that without leaving", async () => {
	expect(panes(await after(200, 60, "<zoom>"))).toBe("list; list");
	expect(panes(await after(200, 60, "<zoom>", "escape"))).toBe("list tree reader; list");
	expect(panes(await after(200, 60, "right", "<zoom>"))).toBe("tree; tree");
	expect(panes(await after(200, 60, "<zoom>", "right"))).toBe("tree reader; tree");
});
