import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { selectScreen } from "../../src/app/core/screen/select-screen.ts";
import { piAnswer } from "../../src/app/world/opened/summed-session.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { collectionOfFile } from "../support/collection.ts";
import { ruleTexts } from "../support/screen-text.ts";
import { assistant, header, message, user } from "../support/session-builder.ts";
import { type Driver, startProgram } from "../support/start-program.ts";

const collection = collectionOfFile();

const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "npm test" } };
const result = (id: string, parentId: string, second: number): string =>
	message(id, parentId, second, {
		role: "toolResult",
		toolCallId: "c1",
		toolName: "bash",
		content: [{ type: "text", text: "ok" }],
		isError: false,
	});

/** The opened session has these lines in the place of its own. */
async function openedWith(driver: Driver, lines: readonly string[]): Promise<string> {
	const { detail } = await driver.select("Weekly note");
	if (detail.status !== "ready") throw new Error("It has been read.");
	const { path, cwd } = detail.row;
	writeFileSync(path, [header({ cwd }), ...lines, ""].join("\n"));
	driver.refresh();
	await driver.until(
		"its new lines",
		({ detail: now }) => now.status === "ready" && now.session.entries.length === lines.length,
	);
	return path;
}

/** A result whose call was never written: what pi 0.55 left behind, and what no provider takes. */
const ORPHAN = [
	user("u1", null, 1, "run the tests"),
	assistant("a1", "u1", 2, "All is well."),
	result("r1", "a1", 3),
	user("u2", "r1", 4, "go on"),
	assistant("a2", "u2", 5, "No."),
];

function bodyText({ overlays }: State): string {
	const top = overlays.at(-1);
	if (top?.kind !== "menu") throw new Error("There is a menu.");
	return top.body.map((line) => line.map(({ text }) => text).join("")).join("\n");
}

function screenText(state: State): string {
	return ruleTexts(state).join("\n");
}

function rowTexts(state: State): string[] {
	const tree = selectScreen(state).panes.find(({ id }) => id === "tree");
	return (tree?.rows ?? []).map(({ line }) => line.map(({ text }) => text).join(""));
}

describe("before a session is resumed that pi cannot go on with", () => {
	test("the person is asked, and may go on from before what breaks it", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.installPi();
		const path = await openedWith(driver, ORPHAN);
		driver.press("resume");
		const asked = await driver.until("the question", ({ overlays }) => overlays.length === 1);
		expect(bodyText(asked)).toContain("The result of bash has no call before it.");
		driver.press("down", "choose");
		expect(await driver.program.exited).toMatchObject({ kind: "resume", path });
		const session = await readSession(path);
		expect(session.tree.parentOf.get(session.tree.leafId ?? "")).toBe("a1");
	});

	test("cancel is what is highlighted, and does nothing; resume anyway does it", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.installPi();
		const path = await openedWith(driver, ORPHAN);
		const before = readFileSync(path, "utf8");
		driver.press("resume");
		await driver.until("the question", ({ overlays }) => overlays.length === 1);
		driver.press("choose");
		expect(driver.program.getState().overlays).toEqual([]);
		driver.press("resume");
		await driver.until("the question again", ({ overlays }) => overlays.length === 1);
		driver.press("down", "down", "choose");
		expect(await driver.program.exited).toMatchObject({ kind: "resume", path });
		expect(readFileSync(path, "utf8")).toBe(before);
	});

	test("the screen says so at its leaf, and the menu of an entry for each of both", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		await openedWith(driver, ORPHAN);
		driver.press("next-pane");
		expect(screenText(driver.program.getState())).toContain("✗ pi cannot continue here");
		expect(rowTexts(driver.program.getState()).at(-1)).toMatch(/No\..*✗ pi cannot continue here/);
		driver.press("first", "down", "resume");
		const menu = driver.program.getState();
		expect(bodyText(menu)).toMatch(/Here: context .*\n(.*\n)*The end: context .*\n.*has no call before it/);
		expect(menu.overlays.at(-1)).toMatchObject({ index: 0 });
	});
});

test("a call without a result is only noted: pi answers it itself", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	driver.installPi();
	await openedWith(driver, [user("u1", null, 1, "run the tests"), assistant("a1", "u1", 2, "Running.", [call])]);
	driver.press("next-pane");
	expect(screenText(driver.program.getState())).toContain("a call has no result");
	driver.press("resume");
	expect(await driver.program.exited).toMatchObject({ kind: "resume" });
});

test("a model that pi's own list does not have is noted once that was looked for", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	driver.installPi();
	const data = join(driver.demo.home, "node_modules/@earendil-works/pi-ai/dist/providers/data");
	mkdirSync(data, { recursive: true });
	writeFileSync(join(data, "anthropic.json"), "{}");
	await openedWith(driver, [user("u1", null, 1, "hi"), assistant("a1", "u1", 2, "hello")]);
	driver.press("next-pane");
	const told = await driver.until("what pi's files tell", (state) => piAnswer(state).facts !== undefined);
	expect(screenText(told)).toContain("model not in pi's lists");
});
