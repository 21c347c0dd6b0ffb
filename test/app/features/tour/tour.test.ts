import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const header = (driver: Driver): string =>
	selectScreen(driver.program.getState())
		.header.map(({ text }) => text)
		.join("");

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

test("it fits at every width, ends with a click on its sign or by its name, and begins again", async () => {
	const driver = await startProgram({ columns: 80, rows: 24 }, { collection: collection() });
	driver.press("tour");
	for (const columns of [40, 60, 80, 120, 250]) {
		driver.send({ type: "resize", columns, rows: 24 });
		const { header: line } = selectScreen(driver.program.getState());
		expect(lineWidth(line)).toBeLessThanOrEqual(columns);
		expect(header(driver)).toContain("1 of 5 Type “expression”");
	}
	driver.send({ type: "resize", columns: 80, rows: 24 });
	driver.send({ type: "mouse", event: { kind: "press", x: header(driver).indexOf("×"), y: 0 } });
	expect(header(driver)).not.toContain(" of 5 ");
	driver.press("tour");
	expect(header(driver)).toContain("1 of 5");
	driver.press("tour");
	expect(header(driver)).toContain("14 sessions");
});
