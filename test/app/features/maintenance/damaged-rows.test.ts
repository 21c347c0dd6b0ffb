import { expect, test } from "vitest";
import { MAINTENANCE_PAGE } from "../../../../src/app/features/maintenance/maintenance-page.ts";
import { complete, keys, rows, run, start } from "../../../support/listed-state.ts";
import { makeRow } from "../../../support/rows.ts";

test("of 50,000 damaged sessions only those in sight are drawn, wherever the cursor is", () => {
	let looked = 0;
	const damaged = Array.from({ length: 50_000 }, (_, index) => {
		const row = makeRow(`s${index}`, {
			diagnostics: [{ code: "bad-line", severity: "damage", message: "Line 2 is not JSON; it was skipped." }],
		});
		return Object.defineProperty(row, "firstMessage", {
			get: () => {
				looked++;
				return "x";
			},
		});
	});
	let { state } = run(start, rows(...damaged), complete, keys("alt+!"));
	const shown = (): string[] => {
		const [pane] = MAINTENANCE_PAGE.panes(state);
		return (pane?.rows ?? []).map(({ line }) => line.map(({ text }) => text).join(""));
	};
	looked = 0;
	expect(shown()[0]).toMatch(/Damaged +50,000/);
	state = MAINTENANCE_PAGE.move(state, { end: "last" });
	state = MAINTENANCE_PAGE.reconcile(state)[0];
	expect(shown().at(-1)).toContain("Line 2 is not JSON");
	state = MAINTENANCE_PAGE.move(state, { pages: -1 });
	state = MAINTENANCE_PAGE.reconcile(state)[0];
	shown();
	expect(looked).toBeLessThan(200);
});
