import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test("what waits is counted in the header and can be shown alone, and no file was touched", async () => {
	for (let index = 0; index < 14; index++) {
		const answer = index % 5 === 1 ? `Shall I go on with ${index}?` : "Done.";
		sandbox.session({
			project: "work/api",
			age: index * 24 * 60,
			messages: [
				{ role: "user", text: `Task ${index}` },
				{ role: "assistant", text: answer },
			],
		});
	}
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { columns: 90, rows: 30 });
	const home = await terminal.waitFor(/14 sessions .*◐ 3 waiting {2}1 today/);
	expect(home).toMatch(/› Task 0 .*\n.*Task 1 .*◐ asks/);
	terminal.type("is:waiting");
	const waiting = await terminal.waitFor(/is:waiting 3 of 14/);
	expect(waiting).toMatch(/› Task 1 .*\n.*Task 6 .*\n.*Task 11 /);
	terminal.press("escape");
	await terminal.waitFor(/type to search/);
	expect(sandbox.fingerprints()).toEqual(before);
});
