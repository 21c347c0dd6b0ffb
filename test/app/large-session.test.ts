import { appendFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { update } from "../../src/app/core/update.ts";
import { COUNT } from "../../src/app/features/glance/feature.ts";
import { selectedEntry, selectTree } from "../../src/app/world/opened/select-tree.ts";
import { idsOf } from "../support/draw-tree.ts";
import { headerText, ruleTexts } from "../support/screen-text.ts";
import { startProgram } from "../support/start-program.ts";

/** More than is drawn between two frames. */
const ENTRIES = 5000;

const time = (index: number) => new Date(1.7e12 + index * 1000).toISOString();
const idOf = (index: number) => index.toString(16).padStart(8, "0");

function line(index: number): string {
	const message = { role: "user", content: `entry ${index}`, timestamp: 1 };
	const parentId = index === 0 ? null : idOf(index - 1);
	return `${JSON.stringify({ type: "message", id: idOf(index), parentId, timestamp: time(index), message })}\n`;
}

test("a large session is drawn and filtered outside of update, and grows by what is appended", async () => {
	const driver = await startProgram();
	await driver.select("Weekly note");
	const before = await driver.until("the tree", ({ detail }) => detail.session !== undefined);
	const path = before.detail.session?.path ?? "";
	const header = JSON.stringify({ type: "session", version: 3, id: "large", timestamp: time(0), cwd: "/x" });
	writeFileSync(path, `${header}\n${Array.from({ length: ENTRIES }, (_, index) => line(index)).join("")}`);
	const ids = () => {
		const tree = selectTree(driver.program.getState());
		return tree === undefined ? [] : idsOf(tree);
	};
	await driver.until("all rows", () => ids().length === ENTRIES);
	expect(selectedEntry(driver.program.getState())?.id).toBe(idOf(ENTRIES - 1));
	const first = selectTree(driver.program.getState())?.rows;

	// Appended faster than all of it could be drawn.
	for (let index = ENTRIES; index < ENTRIES + 100; index++) {
		appendFileSync(path, line(index));
		await new Promise((resolve) => setImmediate(resolve));
	}
	await driver.until("all appended rows", () => ids().length === ENTRIES + 100);
	expect(selectTree(driver.program.getState())?.rows).toBe(first);
	expect(ids()).toEqual(Array.from({ length: ENTRIES + 100 }, (_, index) => idOf(index)));

	driver.press("next-pane", "filter-text");
	driver.type("entry 4999");
	await driver.until("the filtered row", () => ids().length === 1);
	expect(ids()[0]).toBe(idOf(4999));
	appendFileSync(path, line(ENTRIES + 100));
	await driver.until("the new reading", ({ detail }) => detail.session?.entries.length === ENTRIES + 101);
	expect(ids()).toHaveLength(1);
	for (let typed = 0; typed < 10; typed++) driver.press("erase");
	await driver.until("all rows again", () => ids().length === ENTRIES + 101);
});

test("a large session is summed up outside of update, once it is looked at, and its sum grows with it", async () => {
	const driver = await startProgram();
	await driver.select("Weekly note");
	const before = await driver.until("the tree", ({ detail }) => detail.session !== undefined);
	const path = before.detail.session?.path ?? "";
	const header = JSON.stringify({ type: "session", version: 3, id: "large", timestamp: time(0), cwd: "/x" });
	writeFileSync(path, `${header}\n${Array.from({ length: ENTRIES }, (_, index) => line(index)).join("")}`);
	await driver.until("its entries", ({ detail }) => detail.session?.entries.length === ENTRIES);
	const screen = (): string => {
		const state = driver.program.getState();
		return [headerText(state), ...ruleTexts(state)].join("");
	};
	expect(COUNT.of(driver.program.getState()).request).toBe(0);
	driver.press("next-pane");
	await driver.until("the sum", () => screen().includes("5,000 turns"));
	const [state, effects] = update(driver.program.getState(), { type: "tick", now: 1 });
	expect([COUNT.of(state).isLoading, effects]).toEqual([false, []]);
	appendFileSync(path, line(ENTRIES));
	await driver.until("the sum with what was appended", () => screen().includes("5,001 turns"));
});
