import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test.skipIf(process.platform !== "linux")(
	"what an earlier run has done is in the history, is asked for, undone, and done again",
	async () => {
		const path = sandbox.session({ project: "work", age: 5, messages: [{ role: "user", text: "Keep this one" }] });
		sandbox.session({ project: "work", age: 9, messages: [{ role: "user", text: "And that one" }] });
		const content = readFileSync(path, "utf8");
		const first = sandbox.start();
		await first.waitFor("Keep this one");
		first.press("ctrl+d");
		await first.waitFor("┌ Move this session to the trash?");
		first.press("enter");
		await first.waitFor("Moved “Keep this one” to the trash");
		first.press("ctrl+c");
		await first.exit();

		const second = sandbox.start();
		await second.waitFor("› And that one");
		second.press("<history>");
		await second.waitFor(/› .*⊞?.*delete \S+ .*Keep this one .* can be undone/);
		await second.waitFor("by another window or an earlier run");
		second.press("ctrl+_");
		await second.waitFor("┌ Undo this change?");
		second.press("enter");
		await second.waitFor("Undone: move “Keep this one” to the trash");
		expect(readFileSync(path, "utf8")).toBe(content);
		await second.waitFor("It can be redone");
		second.press("r");
		await second.waitFor("Done again: move “Keep this one” to the trash");
		expect(existsSync(path)).toBe(false);
		second.press("q");
		await second.waitFor("› And that one");
		second.press("ctrl+c");
		await second.exit();
	},
);

test.runIf(process.platform === "linux")(
	"the trash shows what another program has put there, with its tree; it comes back, and undo takes it away again",
	async () => {
		const path = sandbox.session({ project: "work", age: 5, messages: [{ role: "user", text: "Deleted elsewhere" }] });
		sandbox.session({ project: "work", age: 9, messages: [{ role: "user", text: "And that one" }] });
		const content = readFileSync(path, "utf8");
		// As a file manager does it: the same name, escaped, in a trash of the specification.
		const trash = join(sandbox.env.XDG_DATA_HOME ?? "", "Trash");
		mkdirSync(join(trash, "files"), { recursive: true });
		mkdirSync(join(trash, "info"), { recursive: true });
		writeFileSync(join(trash, "files", "a b.jsonl"), content);
		const note = `[Trash Info]\nPath=${path.split("/").map(encodeURIComponent).join("/")}\nDeletionDate=2026-11-20T10:11:12\n`;
		writeFileSync(join(trash, "info", "a b.jsonl.trashinfo"), note);
		rmSync(path);

		const terminal = sandbox.start([], { columns: 160, rows: 30 });
		await terminal.waitFor("› And that one");
		terminal.press("<trash>");
		await terminal.waitFor(/› *Deleted elsewhere .* another program/);
		await terminal.waitFor(/◂ (?:leaf|pi goes on here)/);
		expect(readdirSync(join(trash, "files"))).toEqual(["a b.jsonl"]);
		terminal.press("enter");
		await terminal.waitFor("Restored “Deleted elsewhere” from the trash");
		expect(readFileSync(path, "utf8")).toBe(content);
		expect(readdirSync(join(trash, "info"))).toEqual([]);
		await terminal.waitFor("There is no session in the trash");
		terminal.press("q");
		await terminal.waitFor("› Deleted elsewhere");
		terminal.press("ctrl+_");
		await terminal.waitFor("Undone: restore “Deleted elsewhere” from the trash");
		expect(existsSync(path)).toBe(false);
		expect(existsSync(dirname(path))).toBe(true);
		terminal.press("ctrl+c");
		await terminal.exit();
	},
);
