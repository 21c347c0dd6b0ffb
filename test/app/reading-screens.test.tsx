import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CODE_COLORS, SEARCH } from "../../src/app/features/reader/feature.ts";
import { RENDERERS } from "../../src/app/world/opened/select-reader.ts";
import { piAnswer } from "../../src/app/world/opened/summed-session.ts";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { collectionOfFile } from "../support/collection.ts";
import { fixture } from "../support/fixture.ts";
import { styledShownScreen } from "../support/shown-screen.tsx";
import { type Driver, startProgram } from "../support/start-program.ts";

/** The demo's sessions, and a conversation that has one of everything. */
const collection = collectionOfFile((demo) => {
	const path = join(defaultSessionDir(demo.cwd, demo.agentDir), "2026-11-18T09-00-00-000Z_conversation.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	copyFileSync(fixture("conversation").path, path);
});

/** The program, the focus on the tree of that conversation. */
async function startInConversation(columns: number, rows: number): Promise<Driver> {
	const driver = await startProgram({ columns: 160, rows: 45 }, { collection: collection() });
	await driver.select("It works with *small* files");
	driver.press("next-pane");
	driver.send({ type: "resize", columns, rows });
	await driver.idle();
	return driver;
}

/** The screen with its colors, once nothing more is loaded for it. */
async function screenOf(driver: Driver, columns: number, rows: number): Promise<string> {
	await driver.idle();
	await driver.until("all that comes later", (state) => {
		const isLoaded = !RENDERERS.of(state).isLoading && !CODE_COLORS.of(state).isLoading;
		return isLoaded && piAnswer(state).facts !== undefined;
	});
	return styledShownScreen(driver, columns, rows);
}

/** A scene: its name, then bindings by their ids; `text:` is typed. */
type Scene = readonly [name: string, ...bindings: string[]];

const MAIN: readonly Scene[] = [
	["tree"],
	["beside", "previous-prompt", "previous-prompt"],
	["reader", "previous-prompt", "previous-prompt", "next-pane"],
	["page", "previous-prompt", "previous-prompt", "full-page"],
];
const FURTHER: readonly Scene[] = [
	["turns", "filter-turns"],
	["all", "filter-all", "first"],
	["labels", "filter-labeled-only"],
	["opened", "all-branches", "first", "down", "down"],
	["filtered", "filter-text", "text:newline", "filter-done"],
	["details", "details"],
	["markdown", "first", "down", "down", "full-page", "page-down"],
	["diffs", "previous-prompt", "previous-prompt", "full-page", "diffs"],
	["folded", "previous-prompt", "previous-prompt", "full-page", "tools", "thinking"],
	["find", "first", "full-page", "find", "text:newline"],
	["found", "first", "full-page", "find", "text:newline", "find-submit"],
	["branches", "branches"],
	["resume", "previous-prompt", "resume"],
	["help", "help"],
	["command", "help", "text:fold"],
];

/** What these show depends on the size that the terminal had before: a program at each size. */
const SIZED = ["beside", "markdown", "find", "found", "resume"];

/** Golden screens, colors included: `vitest -u` rewrites them; look at the difference before you commit it. */
describe.each([
	[["160×45", "200×60", "80×24", "40×10"], MAIN],
	[["160×45", "80×24"], FURTHER],
] as const)("at %j", (all, scenes) => {
	test.each(scenes)("%s", async (name, ...bindings) => {
		for (const together of SIZED.includes(name) ? all.map((size) => [size]) : [all]) {
			const [first = all[0]] = together;
			const driver = await startInConversation(...cellsOf(first));
			for (const binding of bindings) {
				if (binding.startsWith("text:")) driver.type(binding.slice("text:".length));
				else driver.press(binding);
			}
			await driver.until("what was looked for", (state) => !SEARCH.of(state).isLoading);
			for (const size of together) {
				const [columns, rows] = cellsOf(size);
				driver.send({ type: "resize", columns, rows });
				await expect(await screenOf(driver, columns, rows)).toMatchFileSnapshot(
					join("golden", "reading", `${name}-${columns}x${rows}.txt`),
				);
			}
		}
	});
});

function cellsOf(size: string): [columns: number, rows: number] {
	const [columns, rows] = size.split("×").map(Number);
	return [columns ?? 0, rows ?? 0];
}
