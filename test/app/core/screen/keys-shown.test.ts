import { describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { startOf } from "../../../support/listed-state.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

const row = makeRow("a", { age: 1 });

/** With a session of two entries read, keys pressed. */
async function opened(...pressed: readonly string[]): Promise<State> {
	const run = (state: State, action: Action): State => update(state, action)[0];
	const event = { type: "rows", rows: [row] } as const;
	const start = startOf({ columns: 160, rows: 40 }, { cwd: "/home/me" });
	const listed = run(run(start, { type: "catalog", event }), LISTED);
	const session = await sessionOf(user("one", null, 1, "question"), assistant("two", "one", 2, "answer\n".repeat(300)));
	const read = run(listed, { type: "session-read", request: listed.request, session });
	return run(read, { type: "keys", keys: pressed });
}

describe("the footer", () => {
	const footer = async (...pressed: readonly string[]) => textOfRow(selectScreen(await opened(...pressed)).footer);

	test("shows Enter and all commands at any width, and how to leave where that fits beside them", async () => {
		const state = await opened();
		for (const columns of [40, 60, 80, 160]) {
			const { footer: line } = selectScreen({ ...state, size: { columns, rows: 24 } });
			expect(textOfRow(line)).toMatch(
				columns === 40
					? /^ enter resume .* ctrl\+k commands $/
					: /^ enter resume .* ctrl\+c leave {2}ctrl\+k commands $/,
			);
		}
		expect(await footer("x")).toMatch(/ esc clear {2}ctrl\+k commands $/);
		expect(await footer("right")).toContain("q back");
	});

	test("shows what Enter does: resume on the leaf, ask on other entries", async () => {
		expect(await footer("right")).toMatch(/^ enter resume {2}/);
		expect(await footer("right", "up")).toMatch(/^ enter resume … /);
	});

	test("is of at most seven keys, in the same order at every width, and ends in all commands", async () => {
		for (const keys of [[], ["x"], ["right"], ["right", "right"], ["right", "tab"]]) {
			const line = await footer(...keys);
			expect(line.trim().split(/ {2}/).length, line).toBeLessThanOrEqual(7);
			expect(line).toMatch(/ctrl\+k commands $/);
		}
		expect(await footer()).toBe(" enter resume  → open  space mark  tab here  ctrl+c leave  ctrl+k commands ");
	});

	test("is empty under an overlay, which shows its own keys once", async () => {
		for (const [key, hint] of [
			["ctrl+r", "enter save  esc cancel"],
			["ctrl+s", "enter choose  esc cancel"],
			["ctrl+k", "enter run  ? keys and signs  esc close"],
		] as const) {
			const { footer: line, overlay } = selectScreen(await opened(key));
			expect([textOfRow(line), textOfRow(overlay?.hint ?? []).trim()]).toEqual(["", hint]);
		}
	});

	test("ctrl+k shows the commands, even while nothing is typed", async () => {
		expect((await opened("ctrl+k")).overlays).toMatchObject([{ kind: "palette" }]);
		expect((await opened("x", "ctrl+k")).overlays).toMatchObject([{ kind: "palette" }]);
	});
});

describe("the text of an entry", () => {
	test("has no prompt and no cursor until / brings them", async () => {
		const { panes, cursor } = selectScreen(await opened("right", "right"));
		expect(panes.map(({ title }) => textOfRow(title)).join(" ")).not.toContain("❯");
		expect(cursor).toBeUndefined();
		expect(selectScreen(await opened("right", "right", "/")).cursor).toBeDefined();
	});

	test("scrolls and goes back with letters, as in less", async () => {
		const scrolled = async (...pressed: readonly string[]) => opened("right", "right", ...pressed);
		const top = async (...pressed: readonly string[]) => (await scrolled(...pressed)).reader.anchor;
		expect(await top("j", "j", "k")).toEqual(await top("j"));
		expect(await top("j")).not.toEqual(await top());
		expect(await top("G", "g")).toMatchObject({ block: 0, row: 0 });
		expect(await top(" ", " ", "ctrl+b")).toEqual(await top(" "));
		expect(await top("G")).toEqual(await top("end"));
		expect(await top(" ")).toEqual(await top("pageDown"));
		expect((await scrolled("q")).focus).toBe("tree");
		expect((await scrolled("?")).overlays).toMatchObject([{ kind: "help", page: "keys" }]);
	});
});
