import fc from "fast-check";
import { expect, test } from "vitest";
import { initialState } from "../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../src/app/core/keys/keymap.ts";
import { update } from "../../../src/app/core/update.ts";
import { DOCTOR_PAGE } from "../../../src/app/features/doctor/doctor-page.ts";
import type { State } from "../../../src/app/world/state.ts";
import type { Examination } from "../../../src/store/doctor/examine-session.ts";
import { textOfRow, widest } from "../../support/drawn-rows.ts";
import { makeRow, NOW } from "../../support/rows.ts";

const environment = { home: "/home/a", cwd: "/work", demo: false, keymap: KEYMAP, problems: [] };

/** The page with one session, of which this was found. */
function pageOf(columns: number, rows: number, text: string, count: number): State {
	const row = makeRow("one", { size: 9 });
	const first = initialState(environment, { columns, rows }, NOW);
	const catalog = { ...first.catalog, rows: new Map([[row.path, row]]), complete: true };
	const examination: Examination = {
		path: row.path,
		id: text,
		begin: "",
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
	const told = { sentences: [text], total: 7 };
	const copies = new Map([[row.path, [{ entries: 1, dropped: told, changes: told, path: `/x/${text}` }]]]);
	const [listed] = update({ ...first, catalog }, { type: "keys", keys: [] });
	const doctor = { ...listed.doctor, examined: new Map([[row.path, examination]]), copies };
	return update({ ...listed, doctor, overlays: [{ kind: "doctor" }] }, { type: "keys", keys: [] })[0];
}

const texts = fc.oneof(
	fc.string({ unit: "binary", maxLength: 300 }),
	fc.constantFrom("\u001b[2J", "字".repeat(200), "e\u0301".repeat(90), "\u202eabc", "x".repeat(5000), ""),
);

test("no row is wider than its pane, whatever stands in a file, and nothing of it is left raw", () => {
	const size = fc.tuple(fc.integer({ min: 40, max: 200 }), fc.integer({ min: 10, max: 60 }));
	fc.assert(
		fc.property(size, texts, fc.integer({ min: 1, max: 9 }), fc.boolean(), ([columns, rows], text, count, enters) => {
			const before = pageOf(columns, rows, text, count);
			const [state] = update(before, { type: "keys", keys: enters ? ["enter", "down"] : [] });
			for (const pane of DOCTOR_PAGE.panes(state)) {
				const lines = pane.rows.map(({ line }) => line);
				expect(widest(lines)).toBeLessThanOrEqual(pane.width);
				expect(pane.rows.length).toBeLessThanOrEqual(pane.height);
				expect(lines.map(textOfRow).join("")).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
			}
		}),
	);
});

test("the cursor of the findings goes from finding to finding, to the end, and the whole finding is in sight", () => {
	let state = pageOf(100, 24, "broken", 30);
	[state] = update(state, { type: "keys", keys: ["enter"] });
	const lineOf = (): string | undefined => {
		const pane = DOCTOR_PAGE.panes(state).find(({ focused }) => focused);
		return pane?.rows
			.filter(({ selected }) => selected)
			.map(({ line }) => textOfRow(line))
			.join();
	};
	for (let line = 1; line <= 30; line++) {
		expect(lineOf()).toContain(`Line ${line} is`);
		[state] = update(state, { type: "keys", keys: ["down"] });
	}
	expect(lineOf()).toContain("and 12,345 more bad lines");
	[state] = update(state, { type: "keys", keys: ["end"] });
	expect(lineOf()).toContain("and 6 more lines");
	[state] = update(state, { type: "keys", keys: ["home"] });
	expect(lineOf()).toContain("Line 1 is");
	expect(state.doctor.findingCursor.top).toBe(0);
});
