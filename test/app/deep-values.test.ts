import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../src/app/core/screen/select-screen.ts";
import { deepJson, entry, header, lines, message, user, withJson } from "../support/session-builder.ts";
import { startProgram } from "../support/start-program.ts";

const deep = deepJson(6000);
const call = { type: "toolCall", id: "t1", name: "own", arguments: { value: "DEEP" } };
const content = [{ type: "new-block", value: "DEEP" }];

/** Values nested too deep for `JSON.stringify`, wherever a session may hold any value. */
const session = lines(
	header({ id: "deep" }),
	user("a", null, 1, "a deep session"),
	withJson(entry("custom", "b", "a", 2, { customType: "t", data: "DEEP" }), deep),
	withJson(message("c", "b", 3, { role: "assistant", content: [call], stopReason: "toolUse" }), deep),
	withJson(
		message("d", "c", 4, { role: "toolResult", toolCallId: "t1", toolName: "own", content, isError: false }),
		deep,
	),
	withJson(entry("future", "e", "d", 5, { payload: "DEEP" }), deep),
	withJson(entry("compaction", "f", "e", 6, { summary: "s", firstKeptEntryId: "a", details: "DEEP" }), deep),
	withJson(message("g", "f", 7, { role: "user", content: "DEEP" }), deep),
	withJson(entry("session_info", "h", "g", 8, { name: "DEEP" }), deep),
	user("i", "h", 9, "the end"),
);

test("a session with deeply nested values is listed, read, filtered, searched and counted like any other", async () => {
	const driver = await startProgram();
	const path = join(driver.demo.agentDir, "sessions", "--work-api--", "2027-01-01T00-00-00-000Z_deep.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, session);
	driver.refresh();
	await driver.until("its row", ({ catalog }) => catalog.rows.has(path));
	await driver.select("a deep session");
	const state = await driver.until("its tree", ({ detail }) => detail.session?.path === path);
	expect(state.detail.session?.entries).toHaveLength(9);

	driver.press("next-pane", "filter-all", "first");
	for (let row = 0; row < 9; row++) {
		expect(selectScreen(driver.program.getState()).panes).toHaveLength(2);
		driver.press("down");
	}
	driver.press("filter-text");
	driver.type("own");
	await driver.until("the rows that match", ({ tree }) => tree.query.text === "own");
	expect(selectScreen(driver.program.getState()).panes).toHaveLength(2);
	await driver.until("all numbers", ({ catalog }) => catalog.counted === catalog.countable);
	expect(driver.program.getState().message?.tone).not.toBe("error");
});
