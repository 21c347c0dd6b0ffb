import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import type { Focus, State } from "../../../../src/app/world/state/state.ts";
import { screenRules } from "../../../../src/ui/pane-title.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { rulesOf } from "../../../support/screen-text.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

/** A session that is open, with the focus on a pane. */
async function opened(columns: number, focus: Focus): Promise<State> {
	const event = { type: "rows", rows: [makeRow("a", { age: 1 })] } as const;
	const session = await sessionOf(user("one", null, 1, "question"), assistant("two", "one", 2, "answer"));
	const start = startOf({ columns, rows: 45 }, { cwd: "/home/me", repo: "/home" });
	const listed = stateAfter(start, { type: "catalog", event }, LISTED);
	const there = update({ ...listed, focus }, { type: "tick", now: NOW })[0];
	return update(there, { type: "session-read", request: there.request, session })[0];
}

test.each(["list", "tree", "reader", "branches"] as const)(
	"all words that can be clicked name a command of their pane, with the focus in the %s",
	async (focus) => {
		for (const columns of [80, 120, 160, 240]) {
			const state = await opened(columns, focus);
			const { panes, footer } = selectScreen(state);
			const named = [
				...footer.map(({ press }) => ({ press, pane: focus })),
				...rulesOf(state).flatMap(({ x, y, line }) => {
					const below = panes.find((pane) => pane.y === y + 1 && (pane.x === x || pane.x === x + 1));
					return line.map(({ press }) => ({ press, pane: below?.id ?? focus }));
				}),
			].filter(({ press }) => press !== undefined);
			expect(named.length).toBeGreaterThan(0);
			for (const { press = "", pane } of named) {
				expect(commandFor({ ...state, focus: pane }, press), `${press} in the ${pane}`).toBeDefined();
			}
		}
	},
);

const VIEWS_AFTER_STATISTICS = ["maintenance", "history", "prompts", "statistics"];

test("the rule below the list names all views, and a press opens one", async () => {
	const list = await opened(160, "list");
	const [rule] = screenRules(selectScreen(list)).toSorted((a, b) => b.y - a.y);
	const text = (rule?.line ?? []).map((part) => part.text).join("");
	expect(text).toContain(" prompts · statistics · maintenance · history ─┴─");
	const press = { kind: "press", x: text.indexOf("maintenance"), y: rule?.y ?? 0 } as const;
	expect(update(list, { type: "mouse", event: press })[0].overlays).toMatchObject([{ kind: "maintenance" }]);
	const [other] = screenRules(selectScreen(await opened(160, "tree"))).toSorted((a, b) => b.y - a.y);
	expect((other?.line ?? []).map((part) => part.text).join("")).not.toContain("prompts");
});

test("the header of a view names all views: a press, or tab, opens another one in its place, and esc leads back to the list", async () => {
	const header = (state: State): string =>
		selectScreen(state)
			.header.map(({ text }) => text)
			.join("");
	const click = (state: State, text: string): State => {
		const at = { x: header(state).lastIndexOf(text), y: 0 };
		return update(state, { type: "mouse", event: { kind: "press", ...at } })[0];
	};
	const keys = (state: State, ...pressed: readonly string[]): State =>
		update(state, { type: "keys", keys: pressed })[0];
	for (const columns of [80, 160]) {
		const command = commandFor(await opened(columns, "list"), "history");
		let state = command?.run(await opened(columns, "list"))[0] ?? never();
		expect(header(state)).toMatch(/› history +prompts · statistics · maintenance · ● history $/);
		for (const name of ["maintenance", "statistics", "prompts", "history", "statistics"]) {
			state = click(state, name);
			expect(header(state), name).toContain(`● ${name}`);
			expect(state.overlays).toHaveLength(1);
		}
		for (const [key, name] of [...VIEWS_AFTER_STATISTICS.map((each) => ["tab", each]), ["shift+tab", "prompts"]]) {
			state = keys(state, key ?? "");
			expect(header(state), key).toContain(`● ${name}`);
		}
		state = keys(state, "escape");
		expect(header(state)).toContain("1 session");
	}
	const narrow = commandFor(await opened(40, "list"), "history")?.run(await opened(40, "list"))[0] ?? never();
	expect(header(narrow)).toBe(" pi-grove › history");
});

function never(): never {
	throw new Error("There is no such command");
}
