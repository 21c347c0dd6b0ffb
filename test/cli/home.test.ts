import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test("what waits stands above the list and can be shown alone; hidden, it is so at the next start, and no file was touched", async () => {
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
	const first = sandbox.start([], { columns: 90, rows: 30 });
	const home = await first.waitFor(/waiting for you {2}3 {2}asks/);
	expect(home).toMatch(/waiting for you.*\n.*Task 1 .*asks.*\n.*Task 6 .*asks.*\n.*Task 11 .*asks/);
	expect(home).toMatch(/today {2}1 .*\n› Task 0 .*\n.*all others {2}10/);
	first.press("up");
	await first.waitFor(/› Task 11 /);
	first.type("\x1bh");
	await first.waitFor("is:waiting -is:live since:14d 3 of 14");
	await first.waitFor(/› Task 11 /);
	first.press("escape");
	await first.waitFor(/today {2}1 /);
	first.type("\x1bt");
	await first.waitFor((screen) => !screen.includes("all others") && screen.includes("12/14"));
	first.press("ctrl+c");
	await first.exit();
	const second = sandbox.start([], { columns: 90, rows: 30 });
	expect(await second.waitFor("1/14")).not.toContain("all others");
	second.type("\x1bt");
	await second.waitFor(/waiting for you {2}3 {2}asks/);
	expect(sandbox.fingerprints()).toEqual(before);
});
