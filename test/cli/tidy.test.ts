import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const DAY = 24 * 60;
const SHIFT_F10 = "\x1b[21;2~";

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
		sandbox.session({ project: "work/api", age: 200 * DAY, messages: [...talk, ...talk] });
		const messages = [...talk, ...talk];
		const named = sandbox.session({ project: "work/api", age: 200 * DAY, messages, name: "Kept for its name" });
		const stay = [...Object.values(three), named];
		sandbox.session({ project: "work/api", age: 40 * DAY, messages: [{ role: "user", text: "Nobody answered" }] });
		for (const age of [1, 2, 3]) sandbox.session({ project: "work/api", age, messages: [] });
		copyFileSync(three.parser, join(dirname(three.parser), "a copy.jsonl"));
		const before = sandbox.fingerprints();

		const terminal = sandbox.start([], { columns: 150, rows: 30 });
		await terminal.waitFor(/ 11 sessions *$/m);
		terminal.press("alt+c");
		await terminal.waitFor(
			/Duplicates 1 session,.*Empty 3 sessions,.*Tiny 1 session,.*Orphaned 1 session,.*Old 1 session,/s,
		);
		await terminal.waitFor(/Refactor the parser +in another copy/);
		await terminal.waitFor(/Nobody answered +no answer/);
		await terminal.waitFor(/Orphan +\S*work\/gone/);
		await terminal.waitFor("1 more is pinned or tagged, or has a name or a label");
		expect(sandbox.fingerprints()).toEqual(before);

		// The page is as it was left, also after a look at a session.
		terminal.press("tab");
		await terminal.waitFor("› Empty");
		terminal.type(" ");
		await terminal.waitFor(/── tidy 3 marked · \d+ B ─/);
		terminal.press("shift+tab");
		await terminal.waitFor("› Duplicates");
		terminal.press("down");
		await terminal.waitFor("› Refactor the parser");
		terminal.press("enter");
		await terminal.waitFor((screen) => !screen.includes("── tidy") && screen.includes("All tests pass now."));
		terminal.type(SHIFT_F10);
		await terminal.waitFor(/── tidy 3 marked · \d+ B ─.*› Refactor the parser/s);

		terminal.press("d");
		await terminal.waitFor("┌ Move 3 sessions to the trash?");
		terminal.press("escape");
		await terminal.waitFor((screen) => !screen.includes("┌ Move"));
		terminal.press("a");
		await terminal.waitFor("7 sessions marked");
		terminal.press("d");
		await terminal.waitFor("┌ Move 7 sessions to the trash?");
		terminal.press("enter");
		await terminal.waitFor("Moved 7 sessions to the trash (undo takes it back)");
		expect([...sandbox.fingerprints().keys()].sort()).toEqual([...stay].sort());
		expect(readdirSync(join(sandbox.home, "data", "Trash", "files"))).toHaveLength(7);
		terminal.press("ctrl+_");
		await terminal.waitFor("Undone: move 7 sessions to the trash");
		expect(sandbox.fingerprints()).toEqual(before);
		terminal.press("ctrl+c");
		terminal.press("ctrl+c");
		await terminal.exit();
	},
);
