import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { copyFamily, sessionsOf } from "../support/copied-family.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

const PRELOAD = pathToFileURL(join(import.meta.dirname, "..", "support", "breaking-files.mjs")).href;

const UNREADABLE: readonly string[] = ["cannot be opened", "cannot be read"];
const WAYS: readonly string[] = ["vanishes", "is replaced", "is cut off", "becomes a directory", ...UNREADABLE];

test.each(inShort(WAYS, (way) => way === "cannot be read"))(
	"every page goes on when a session %s before it is read",
	async (way) => {
		const { parser, site } = threeSessions(sandbox);
		const [parent, own = ""] = sessionsOf(copyFamily("nested", join(sandbox.agentDir, "sessions")));
		// From now on all of them are listed without being read.
		expect(run(sandbox, ["list", "--json", "--counted"]).code).toBe(0);
		const env = {
			NODE_OPTIONS: `--import=${PRELOAD}`,
			PI_GROVE_TEST_BREAK: JSON.stringify({ paths: [parser, site, parent, own], way }),
		};
		const terminal = sandbox.start([], { env, columns: 160, rows: 45 });
		const waitForList = () => terminal.waitFor("❯ type to search");
		await terminal.waitFor("Find the retry loop");

		// The preview, the tree, the reader, the branches and the files, of the broken session or of what is in its place.
		terminal.press("down");
		if (UNREADABLE.includes(way)) await terminal.waitFor("Cannot read the session");
		terminal.press("right");
		await terminal.waitFor("/ filter");
		terminal.press("right", "left", "tab", "tab", "left", "left", "left");
		await waitForList();

		terminal.type("retry");
		await terminal.waitFor(/❯ retry .* 1 of \d[\s\S]*› Find the retry loop/);
		terminal.press("escape");
		await waitForList();
		for (const [command, shown] of [
			["<stats>", "── statistics of"],
			["<maintenance>", "pi-grove › maintenance"],
			["<prompts>", /── prompts ❯[\s\S]*Find the retry loop/],
			["<history>", "── every change"],
		] as const) {
			terminal.press(command);
			await terminal.waitFor(shown);
			if (command === "<prompts>" && UNREADABLE.includes(way)) await terminal.waitFor(/\d cannot be read/);
			terminal.press("escape");
			await waitForList();
		}
		terminal.press("ctrl+q");
		expect((await terminal.exit()).code).toBe(0);
	},
);
