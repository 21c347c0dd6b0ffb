import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox } from "../support/sandbox.ts";
import { assistant, header, user } from "../support/session-builder.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const PAIRS = 2000;

/** A session of several megabytes; `damage` changes its lines. */
function written(damage: (lines: string[]) => void): string {
	const lines = [header()];
	let parent: string | null = null;
	for (let index = 0; index < PAIRS; index++) {
		const [asked, said] = [`a${index}`.padStart(8, "0"), `b${index}`.padStart(8, "0")];
		lines.push(user(asked, parent, 2 * index, `Question ${index}`));
		lines.push(assistant(said, asked, 2 * index + 1, `Answer ${index} ${"word ".repeat(200)}`));
		parent = said;
	}
	damage(lines);
	const path = join(sandbox.home, "large", "large.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, `${lines.join("\n")}\n`);
	return path;
}

test("a large session is read, scrolled and filtered", async () => {
	const terminal = sandbox.start([written(() => undefined)], { columns: 160, rows: 40 });
	expect(await terminal.waitFor("Answer 1999")).toContain("4,000 of 4,000");
	terminal.press("home");
	await terminal.waitFor("Question 0");
	terminal.type("Question 1234");
	expect(await terminal.waitFor(/● Question 1234/)).toContain("── 1 of 1");
	terminal.press("escape");
	await terminal.waitFor("of 4,000");
	terminal.press("end");
	await terminal.waitFor("Answer 1999");
});

test("damage in the middle of a line of a large session is found a moment after it is shown", async () => {
	const path = written((lines) => {
		lines[3990] = (lines[3990] ?? "").replace("word word", 'word" word');
	});
	const terminal = sandbox.start([path], { columns: 160, rows: 40 });
	await terminal.waitFor("4,000 of 4,000");
	// What stood below the damaged line begins a branch of its own now.
	await terminal.waitFor(/⊞ Question 0 .*Question 1994/);
});
