import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const DAY = 24 * 60;

test.skipIf(process.platform !== "linux")(
	"what may go is proposed with its reasons; all of it goes at once, and one undo brings it back",
	async () => {
		const three = threeSessions(sandbox);
		const talk = [
			{ role: "user", text: "Long ago" },
			{ role: "assistant", text: "Yes." },
		] as const;
		sandbox.session({ project: "work/gone", age: 5, messages: [{ ...talk[0], text: "Orphan" }, talk[1], ...talk] });
		rmSync(join(sandbox.home, "work", "gone"), { recursive: true });
		const nobody = [{ role: "user", text: "Nobody" }] as const;
		const named = sandbox.session({ project: "work/api", age: 40 * DAY, messages: nobody, name: "Kept for its name" });
		const stay = [...Object.values(three), named];
		sandbox.session({ project: "work/api", age: 40 * DAY, messages: [{ role: "user", text: "Nobody answered" }] });
		for (const age of [1, 2, 3]) sandbox.session({ project: "work/api", age, messages: [] });
		const before = sandbox.fingerprints();

		const terminal = sandbox.start([], { columns: 150, rows: 30 });
		await terminal.waitFor(/ 9 sessions(?! ·)/);
		terminal.press("<maintenance>");
		await terminal.waitFor(/Directory gone +1 .*Empty or tiny +4 /s);
		await terminal.waitFor(/── 4 sessions, [\d.]+ K?B can be freed/);
		await terminal.waitFor("1 more is pinned or tagged, or has a name or a label");
		expect(sandbox.fingerprints()).toEqual(before);

		terminal.press("tab");
		await terminal.waitFor("› ∅ Empty or tiny");
		terminal.press("enter");
		await terminal.waitFor(/Nobody answered +no answer/);

		// The view is as it was left, also after a look at a session.
		terminal.type(" ");
		await terminal.waitFor(/can be freed 4 marked · [\d.]+ \w*B ─/);
		terminal.press("down");
		terminal.press("enter");
		await terminal.waitFor((screen) => !screen.includes("can be freed"));
		terminal.press("<maintenance>");
		await terminal.waitFor(/can be freed 4 marked · /);

		terminal.press("ctrl+d");
		await terminal.waitFor("┌ Move 4 sessions to the trash?");
		terminal.press("escape");
		await terminal.waitFor((screen) => !screen.includes("┌ Move"));
		terminal.press("shift+tab");
		terminal.press("shift+tab");
		await terminal.waitFor("› ⌂ Directory gone");
		terminal.type(" ");
		await terminal.waitFor("›✓⌂ Directory gone");
		terminal.press("ctrl+d");
		await terminal.waitFor("┌ Move 5 sessions to the trash?");
		terminal.press("enter");
		await terminal.waitFor("Moved 5 sessions to the trash (undo brings them back)");
		expect([...sandbox.fingerprints().keys()].sort()).toEqual([...stay].sort());
		expect(readdirSync(join(sandbox.home, "data", "Trash", "files"))).toHaveLength(5);
		terminal.press("ctrl+_");
		await terminal.waitFor("Undone: move 5 sessions to the trash");
		expect(sandbox.fingerprints()).toEqual(before);
		terminal.press("ctrl+q");
		terminal.press("ctrl+q");
		await terminal.exit();
	},
);
