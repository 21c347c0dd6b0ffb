import { expect, test } from "vitest";
import { layoutFor } from "../../../../src/app/world/screen/layout.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";

/** Sessions, of which every tenth has a name. */
function listed(columns: number, rows: number, count: number): State {
	const all = Array.from({ length: count }, (_, at) => makeRow(`s${at}`, at % 10 === 0 ? { name: `n${at}` } : {}));
	const start = startOf({ columns, rows }, { cwd: "/home/me" });
	return stateAfter(start, { type: "catalog", event: { type: "rows", rows: all } }, LISTED);
}

const named = (state: State): State => stateAfter(state, { type: "keys", keys: ["<named>"] });
/** The rows of the list, and what is below it. */
const shape = (state: State): string => {
	const { list, tree, reader } = layoutFor(state);
	const below = Object.entries({ tree, reader }).filter(([, box]) => box !== undefined && box.y > (list?.y ?? 0) + 2);
	return [`${list?.width}×${list?.height}`, ...below.filter(([, box]) => box?.y !== list?.y).map(([id]) => id)].join(
		" ",
	);
};

test("what is under the cursor stands below the list where that leaves rows empty", () => {
	// A wide terminal has it beside the list, unless a chip or a query leaves few sessions.
	expect(shape(listed(160, 45, 60))).toBe("90×41 reader");
	expect(shape(named(listed(160, 45, 60)))).toBe("160×7 tree reader");
	expect(shape(named(listed(110, 35, 60)))).toBe("110×7 reader");
	expect(shape(named(listed(160, 45, 600)))).toBe("90×41 reader");
	// A narrow one has it below, in half of the rows for what was searched, else in those that the list does not need.
	expect(shape(listed(80, 24, 5))).toBe("80×6 reader");
	expect(shape(listed(80, 24, 60))).toBe("80×21");
	expect(shape(named(listed(80, 24, 600)))).toBe("80×10 reader");
	expect(shape(named(listed(40, 10, 60)))).toBe("40×7");
	expect(shape(named(named(listed(160, 45, 60))))).toBe("90×41 reader");
});
