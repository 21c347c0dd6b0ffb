import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

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
		await first.waitFor("Moved “Keep this one” to the trash · ctrl+_ brings it back");
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
