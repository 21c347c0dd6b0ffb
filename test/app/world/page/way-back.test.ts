import { expect, test } from "vitest";
import { targetOf } from "../../../../src/app/features/statistics/stats-rows.ts";
import { pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const at = (state: State): string => pageOf(state) ?? state.focus;

test("from an entry of the prompts escape leads back to them, with the list as it was, and then out of them", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	driver.type("pre");
	await driver.idle();
	driver.press("prompts");
	driver.type("parser");
	await driver.idle();
	driver.press("go-to-use");
	await driver.until("the tree", ({ focus, overlays }) => focus === "tree" && overlays.length === 0);
	await driver.idle();
	expect(driver.program.getState().list.query.text).toBe("");
	driver.press("next-pane", "previous-pane");
	expect(at(driver.program.getState())).toBe("tree");
	driver.press("previous-pane");
	expect([at(driver.program.getState()), driver.program.getState().list.query.text]).toEqual(["prompts", "pre"]);
	driver.send({ type: "keys", keys: ["escape", "escape"] });
	expect(at(driver.program.getState())).toBe("list");
	driver.send({ type: "keys", keys: ["escape", "escape"] });
	expect(at(driver.program.getState())).toBe("list");
});

test("a list that the statistics have filtered leads back to them, unless something else was typed", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	const open = async (): Promise<void> => {
		driver.press("stats");
		await driver.until("what is counted", (state) => targetOf(state) !== undefined);
		driver.press("show-in-list");
		await driver.idle();
	};
	await open();
	expect(at(driver.program.getState())).toBe("list");
	const { text } = driver.program.getState().list.query;
	expect(text).not.toBe("");
	driver.send({ type: "keys", keys: ["escape"] });
	expect([at(driver.program.getState()), driver.program.getState().list.query.text]).toEqual(["statistics", ""]);
	driver.send({ type: "keys", keys: ["escape"] });
	await open();
	driver.type(" x");
	await driver.idle();
	driver.send({ type: "keys", keys: ["escape"] });
	expect([at(driver.program.getState()), driver.program.getState().list.query.text]).toEqual(["list", ""]);
});
