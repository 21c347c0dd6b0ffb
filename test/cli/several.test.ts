import { expect, test } from "vitest";
import { inLong } from "../support/cases.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

test("escape stops work on many between two sessions; what was done is one undo, also in the next run", async () => {
	const count = inLong(400, 250);
	for (let number = 0; number < count; number++) {
		sandbox.session({
			project: "many",
			age: number,
			messages: [{ role: "user", text: `Question ${number}` }],
		});
	}
	const before = sandbox.fingerprints();
	const terminal = sandbox.start();
	// "reading 391/400" is not yet all of them.
	await terminal.waitFor((screen) => screen.includes(`─ 1/${count} ─`) && !screen.includes("sessions ·"));
	terminal.press("<mark-all>");
	await terminal.waitFor(`✓ ${count} marked`);
	terminal.press("ctrl+d");
	await terminal.waitFor(`┌ Move ${count} sessions to the trash?`);
	terminal.press("enter");
	await terminal.waitFor("esc stops it");
	terminal.press("escape");
	const screen = await terminal.waitFor(/Stopped: Moved \d+ sessions? to the trash; \d+ unchanged/);
	const [, moved, left] = /Moved (\d+) sessions? to the trash; (\d+) unchanged/.exec(screen) ?? [];
	expect(Number(moved) + Number(left)).toBe(count);
	expect(Number(moved)).toBeGreaterThan(0);
	expect(sandbox.fingerprints().size).toBe(Number(left));
	// What is left is still marked.
	await terminal.waitFor(`✓ ${left} marked`);
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);

	const next = sandbox.start();
	await next.waitFor(`${left} sessions`);
	next.press("ctrl+_");
	await next.waitFor(`Move ${moved} of ${count} sessions to the trash`);
	next.press("enter");
	await next.waitFor(`${count} sessions`);
	await next.waitFor(`Undone: move ${moved} of ${count} sessions`);
	expect(sandbox.fingerprints()).toEqual(before);

	// Who leaves in the middle does not wait for the rest of it.
	next.press("<mark-all>");
	await next.waitFor(`✓ ${count} marked`);
	next.press("ctrl+d");
	await next.waitFor(`┌ Move ${count} sessions to the trash?`);
	next.press("enter");
	await next.waitFor("esc stops it");
	next.press("ctrl+c");
	expect((await next.exit()).code).toBe(0);
	expect(sandbox.fingerprints().size).toBeGreaterThan(0);
	expect(sandbox.fingerprints().size).toBeLessThan(count);
});
