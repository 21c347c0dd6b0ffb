import fc from "fast-check";
import { expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { openAtDamaged } from "../../../../src/app/features/maintenance/maintenance-actions.ts";
import { damagedKey } from "../../../../src/app/features/maintenance/maintenance-rows.ts";
import { DOCTOR, MAINTENANCE } from "../../../../src/app/features/maintenance/maintenance-state.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { Examination } from "../../../../src/store/doctor/examine-session.ts";
import { textOfRow, widest } from "../../../support/drawn-rows.ts";
import { listedRows, makeRow, NOW } from "../../../support/rows.ts";

const environment = { home: "/home/a", cwd: "/work", demo: false, keymap: KEYMAP, problems: [] };

/** The view with one session that has these findings. */
function pageOf(columns: number, rows: number, text: string, count: number): State {
	const row = makeRow("one", { size: 9 });
	const first = initialState(environment, { columns, rows }, NOW);
	const catalog = { ...first.catalog, ...listedRows(row), complete: true };
	const examination: Examination = {
		path: row.path,
		size: 9,
		entries: 1,
		sessions: 2,
		findings: Array.from({ length: count }, (_, index) => ({
			...({ code: "bad-line", severity: "damage", line: index + 1 } as const),
			message: `Line ${index + 1} is ${text}.`,
			text,
		})),
		totals: { "bad-line": count + 12_345 },
	};
	const [listed] = update({ ...first, catalog }, { type: "keys", keys: [] });
	const doctor = { ...DOCTOR.of(listed), examined: new Map([[row.path, examination]]) };
	return update(openAtDamaged(DOCTOR.with(listed, doctor), row.path), { type: "tick", now: NOW })[0];
}

const texts = fc.oneof(
	fc.string({ unit: "binary", maxLength: 300 }),
	fc.constantFrom("\u001b[2J", "字".repeat(200), "e\u0301".repeat(90), "\u202eabc", "x".repeat(5000), ""),
);

test("no row is wider than its pane, whatever a file contains, and all of it is sanitized", () => {
	const size = fc.tuple(fc.integer({ min: 40, max: 200 }), fc.integer({ min: 10, max: 60 }));
	fc.assert(
		fc.property(size, texts, fc.integer({ min: 1, max: 9 }), fc.boolean(), ([columns, rows], text, count, goes) => {
			const before = pageOf(columns, rows, text, count);
			const [state] = update(before, { type: "keys", keys: goes ? ["down"] : [] });
			for (const pane of selectScreen(state).panes) {
				const lines = pane.rows.map(({ line }) => line);
				expect(widest(lines)).toBeLessThanOrEqual(pane.width);
				expect(pane.rows.length).toBeLessThanOrEqual(pane.height);
				expect(lines.map(textOfRow).join("")).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
			}
		}),
	);
});

test("the cursor goes from finding to finding, and skips those only counted", () => {
	let state = pageOf(100, 24, "broken", 30);
	const here = (): string | undefined =>
		selectScreen(state)
			.panes[0]?.rows.filter(({ selected }) => selected)
			.map(({ line }) => textOfRow(line))
			.join();
	expect(MAINTENANCE.of(state).cursor.selected).toBe(damagedKey(makeRow("one").path));
	for (let line = 1; line <= 30; line++) {
		[state] = update(state, { type: "keys", keys: ["down"] });
		expect(here()).toContain(`Line ${line} is`);
	}
	const shown = selectScreen(state).panes[0]?.rows.map(({ line }) => textOfRow(line)) ?? [];
	expect(shown.join("\n")).toMatch(/Line 30 is/);
	[state] = update(state, { type: "keys", keys: ["left"] });
	expect(MAINTENANCE.of(state).cursor.selected).toBe(damagedKey(makeRow("one").path));
	expect(selectScreen(state).panes[0]?.rows.length).toBeLessThan(10);
});
