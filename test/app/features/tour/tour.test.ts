import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { screenRules } from "../../../../src/ui/pane-title.ts";
import type { Line } from "../../../../src/ui/text/line.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { shownScreen } from "../../../support/shown-screen.tsx";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const header = (driver: Driver): string => textOfRow(selectScreen(driver.program.getState()).header);

/** The rules above and below the panes, in one of which the tour stands. */
const rules = (driver: Driver): readonly Line[] =>
	screenRules(selectScreen(driver.program.getState())).map(({ line }) => line);
const tour = (driver: Driver): string => rules(driver).map(textOfRow).join();

test("the tour goes on with what was done, and ends with its last step", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	expect(tour(driver)).not.toContain(" of 5 ");
	driver.press("tour");
	expect(tour(driver)).toContain("1 of 5 Type “expression”");
	driver.type("expression");
	await driver.until("a hit", () => tour(driver).includes("2 of 5"));
	driver.press("next-pane", "next-pane");
	await driver.idle();
	expect(tour(driver)).toContain("3 of 5 esc goes back");
	for (let steps = 0; steps < 4; steps++) driver.send({ type: "keys", keys: ["escape"] });
	expect(tour(driver)).toContain("4 of 5 ctrl+k");
	driver.press("pin");
	await driver.until("the pin", ({ marks }) => marks.pinned.size > 0);
	expect(tour(driver)).toContain("5 of 5 ctrl+_ undoes it");
	driver.press("undo");
	await driver.until("the end", () => tour(driver).includes("That was the tour"));
	await driver.idle();
	driver.press("next-pane");
	expect(tour(driver)).not.toContain("That was the tour");
});

test("it fits at every width, ends with a click on its sign or by its name, and begins again", async () => {
	const driver = await startProgram({ columns: 80, rows: 24 }, { collection: collection() });
	driver.press("tour");
	for (const columns of [40, 60, 80, 120, 250]) {
		driver.send({ type: "resize", columns, rows: 24 });
		for (const line of rules(driver)) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
		expect(tour(driver)).toContain("1 of 5 Type “expression”");
		// The header stays as it is.
		expect(header(driver)).toContain("all ▾");
		if (columns >= 80) expect(header(driver)).toMatch(/14\b/);
		driver.press("next-pane");
		expect(tour(driver)).toContain("1 of 5");
		expect(header(driver)).toContain("Weekly note");
		driver.send({ type: "keys", keys: ["left"] });
	}
	for (const columns of [80, 120]) {
		driver.send({ type: "resize", columns, rows: 24 });
		const rows = (await shownScreen(driver, columns, 24)).split("\n");
		const y = rows.findIndex((row) => row.includes("found ×"));
		driver.send({ type: "mouse", event: { kind: "press", x: rows[y]?.indexOf("×") ?? -1, y } });
		expect(tour(driver)).not.toContain(" of 5 ");
		driver.press("tour");
		expect(tour(driver)).toContain("1 of 5");
	}
	driver.press("tour");
	expect(tour(driver)).not.toContain(" of 5 ");
	expect(header(driver)).toMatch(/14\b/);
});
