import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sandboxOfTest } from "../support/sandbox.ts";
import { lines, name } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();

/** Loaded before the program: this user may watch no more files, as after too many programs that do. */
const NO_WATCH = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
fs.watch = () => { throw Object.assign(new Error("EMFILE: too many open files, watch"), { code: "EMFILE", syscall: "watch" }); };
syncBuiltinESMExports();`;

test.runIf(process.platform === "linux")(
	"without inotify a change is seen within seconds, and the limit is named",
	async () => {
		const path = sandbox.session({ project: "work/api", age: 1, messages: [{ role: "user", text: "Find the leak" }] });
		const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NO_WATCH)}` };
		const terminal = sandbox.start([], { env, columns: 200 });
		await terminal.waitFor("Find the leak");
		await terminal.waitFor(/1 problem/);
		const began = performance.now();
		// The comparison at the start may see the first one. It took half a minute until the next.
		for (const [id, title] of [
			["n1", "The leak of the pool"],
			["n2", "The leak of the cache"],
		] as const) {
			appendFileSync(path, lines(name(id, null, 90, title)));
			await terminal.waitFor(title);
		}
		expect(performance.now() - began).toBeLessThan(25_000);
		terminal.press("ctrl+k");
		terminal.type("problems");
		await terminal.waitFor("› Problems");
		terminal.press("enter");
		await terminal.waitFor("fs.inotify.max_user_instances");
	},
);
