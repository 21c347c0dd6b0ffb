import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test.runIf(process.platform === "linux")(
	"after the only session was deleted, the next start is no demo, and undo asks and brings it back",
	async () => {
		const path = sandbox.session({ project: "work", age: 5, messages: [{ role: "user", text: "Keep this one" }] });
		const content = readFileSync(path, "utf8");
		const first = sandbox.start();
		await first.waitFor("› Keep this one");
		first.press("ctrl+d");
		await first.waitFor("┌ Move this session to the trash?");
		first.press("enter");
		await first.waitFor("Moved “Keep this one” to the trash (undo brings it back)");
		first.press("ctrl+c");
		await first.exit();
		expect(existsSync(path)).toBe(false);

		const second = sandbox.start();
		// Not in the first frame, after which keys may still be lost.
		await second.waitFor((screen) => screen.includes("0 sessions") && !screen.includes("Reading sessions"));
		second.press("ctrl+_");
		await second.waitFor("┌ Undo this change?");
		await second.waitFor("Move “Keep this one” to the trash.");
		second.press("enter");
		await second.waitFor("› Keep this one");
		await second.waitFor("Undone: move “Keep this one” to the trash");
		expect(readFileSync(path, "utf8")).toBe(content);
	},
);

test.skipIf(process.platform === "win32")(
	"copying runs a program of the system, which gets nothing of the terminal",
	async () => {
		const { retry } = threeSessions(sandbox);
		const program = join(sandbox.directory("bin"), "xclip");
		const script = `cat >"$HOME/copied"; if (: </dev/tty) 2>/dev/null; then echo yes; else echo no; fi >"$HOME/has-terminal"`;
		writeFileSync(program, `#!/bin/sh\n${script}\n`);
		chmodSync(program, 0o755);
		const none = { SSH_CONNECTION: undefined, SSH_TTY: undefined, SSH_CLIENT: undefined, TMUX: undefined };
		const terminal = sandbox.start([], {
			env: { ...none, WAYLAND_DISPLAY: undefined, WSL_DISTRO_NAME: undefined, WSL_INTEROP: undefined, DISPLAY: ":99" },
		});
		await terminal.waitFor("1/3");
		terminal.press("ctrl+x");
		await terminal.waitFor("Copied the path");
		expect(readFileSync(join(sandbox.home, "copied"), "utf8")).toBe(retry);
		expect(readFileSync(join(sandbox.home, "has-terminal"), "utf8")).toBe("no\n");
		expect(terminal.written).not.toContain("\u001b]52;");
	},
);
