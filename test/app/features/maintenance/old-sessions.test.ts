import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { selectedMaintenanceRow } from "../../../../src/app/features/maintenance/maintenance-rows.ts";
import { sortBy } from "../../../../src/app/world/list/list-actions.ts";
import { orderInUse, selectList } from "../../../../src/app/world/list/select-list.ts";
import { pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { rows, startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { paneTexts } from "../../../support/screen-text.ts";

const DAY_MS = 86_400_000;

function aged(id: string, days: number, size: number, archived = false) {
	return makeRow(id, { modified: new Date(NOW - days * DAY_MS), size, ...(archived && { archived }) });
}

const ALL = [
	aged("new and small", 1, 10_000),
	aged("new and large", 2, 3e6),
	aged("old", 100, 20_000),
	aged("old and large", 200, 12e6),
	aged("older", 400, 40_000),
	aged("put away", 500, 50e6, true),
];

function press(state: State, ...keys: readonly string[]): State {
	return stateAfter(state, { type: "keys", keys });
}

test("sessions that are old or large are a group, each once, by age and by size; enter lists them, the largest first", () => {
	const listed = stateAfter(startOf({ columns: 120, rows: 30 }), rows(...ALL), LISTED);
	const page = press(listed, "<maintenance>");
	expect(paneTexts(page).join("\n")).toMatch(/Old and large +4 +unused for 90 days, or over 1 MB +15\.1 MB/);
	const onGroup = press(page, "end");
	expect(selectedMaintenanceRow(onGroup)?.key).toBe("group old");
	const opened = press(onGroup, "right");
	const texts = paneTexts(opened).map((line) => line.replaceAll(/ {2,}/g, "  ").trim());
	expect(texts.slice(texts.findIndex((line) => line.includes("Old and large")) + 1).slice(0, 4)).toEqual([
		"not used for 90 days  3  12.1 MB",
		"not used for a year  1  40.0 KB",
		"over 1 MB  2  15.0 MB",
		"over 10 MB  1  12.0 MB",
	]);
	// Its sessions have no rows here, so there is nothing to mark.
	expect(textOfRow(selectScreen(opened).footer)).not.toContain("mark");
	expect(press(opened, " ").message?.text).toBe("There is nothing to mark in this row");
	expect(press(opened, "down", "ctrl+d").message?.text).toContain("Enter lists these sessions");
	const list = press(opened, "down", "enter");
	expect(list.list.query.text).toBe("before:90d size:>0 ");
	expect(selectList(list).rows.map(({ row }) => row.id)).toEqual(["old and large", "older", "old"]);
	expect(orderInUse(list)).toEqual({ sort: "size", reversed: false });
	// The order that the list has without a query is not changed by that.
	expect(list.list.settings).toEqual(listed.list.settings);
	expect(pageOf(press(list, "escape"))).toBe("maintenance");
	expect(textOfRow(selectScreen(list).footer)).toContain("esc back");
	// It leads back after something was typed and deleted, too.
	const typed = stateAfter(list, { type: "text", text: "xyz" });
	expect(textOfRow(selectScreen(typed).footer)).toContain("esc clear");
	const deleted = press(typed, "backspace", "backspace", "backspace");
	expect(pageOf(press(deleted, "escape"))).toBe("maintenance");
	expect(press(typed, "ctrl+u").waysBack).toEqual([]);
	// An order that was chosen for another query is not that of this one, and is there again after it.
	const chosen = stateAfter(listed, { type: "text", text: "size:>0" });
	const reversed = sortBy(chosen, "title");
	expect(orderInUse(reversed).sort).toBe("title");
	const listedAgain = press(reversed, "<maintenance>", "end", "right", "down", "enter");
	expect(listedAgain.list.query.text).toBe("before:90d size:>0 ");
	expect(orderInUse(listedAgain)).toEqual({ sort: "size", reversed: false });
	expect(orderInUse(press(listedAgain, "escape", "escape"))).toMatchObject({ sort: "title" });
	const typedOn = stateAfter(press(listedAgain, "ctrl+u"), { type: "text", text: "size:>0" });
	expect(orderInUse(typedOn)).toMatchObject({ sort: "title" });
});

test("without such sessions there is no such group", () => {
	const page = press(
		stateAfter(startOf({ columns: 120, rows: 30 }), rows(...ALL.slice(0, 1)), LISTED),
		"<maintenance>",
	);
	expect(paneTexts(page).join("\n")).not.toContain("Old and large");
});
