import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import type { Line } from "../../../../src/ui/text/line.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { shownScreen } from "../../../support/shown-screen.tsx";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const header = (driver: Driver): string => textOfRow(selectScreen(driver.program.getState()).header);

test("the tour goes on with what was done, and ends with its last step", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	expect(header(driver)).not.toContain(" of 5 ");
	driver.press("tour");
	expect(header(driver)).toContain("1 of 5 Type “expression”");
	driver.type("expression");
	await driver.until("a hit", () => header(driver).includes("2 of 5"));
	driver.press("next-pane", "next-pane");
	await driver.idle();
	expect(header(driver)).toContain("3 of 5 esc goes back");
	for (let steps = 0; steps < 4; steps++) driver.send({ type: "keys", keys: ["escape"] });
	expect(header(driver)).toContain("4 of 5 ctrl+k");
	driver.press("pin");
	await driver.until("the pin", ({ marks }) => marks.pinned.size > 0);
	expect(header(driver)).toContain("5 of 5 ctrl+_ undoes it");
	driver.press("undo");
	await driver.until("the end", () => header(driver).includes("That was the tour"));
	await driver.idle();
	driver.press("next-pane");
	expect(header(driver)).not.toContain("That was the tour");
});

/** The header, and what is in the title of the list. */
const titles = (driver: Driver): readonly Line[] => {
	const { header: line, panes } = selectScreen(driver.program.getState());
	return [line, ...panes.flatMap(({ id, title }) => (id === "list" ? [title] : []))];
};

test("it fits at every width, ends with a click on its sign or by its name, and begins again", async () => {
	const driver = await startProgram({ columns: 80, rows: 24 }, { collection: collection() });
	driver.press("tour");
	for (const columns of [40, 60, 80, 120, 250]) {
		driver.send({ type: "resize", columns, rows: 24 });
		for (const line of titles(driver)) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
		// A narrow header has the search alone: then it stands in the title of the list.
		expect(titles(driver).map(textOfRow)[columns < 100 ? 1 : 0]).toContain("1 of 5 Type “expression”");
	}
	for (const columns of [80, 120]) {
		driver.send({ type: "resize", columns, rows: 24 });
		const rows = (await shownScreen(driver, columns, 24)).split("\n");
		const y = rows.findIndex((row) => row.includes("found ×"));
		driver.send({ type: "mouse", event: { kind: "press", x: rows[y]?.indexOf("×") ?? -1, y } });
		expect(titles(driver).map(textOfRow).join()).not.toContain(" of 5 ");
		driver.press("tour");
		expect(titles(driver).map(textOfRow).join()).toContain("1 of 5");
	}
	driver.press("tour");
	expect(titles(driver).map(textOfRow).join()).not.toContain(" of 5 ");
	expect(header(driver)).toContain("14 sessions");
});
