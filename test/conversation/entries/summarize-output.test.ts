import { expect, test } from "vitest";
import { summarizeOutput } from "../../../src/conversation/entries/summarize-output.ts";

test.each([
	["nothing", "", false, ""],
	["pi's word for nothing", "(no output)", false, ""],
	["a single line", "4be19c2 Import files\n", false, "4be19c2 Import files"],
	["JSON", '{"hits":[{"title":"JSON Lines"}]}', false, ""],
	["a line that begins like it", "[12:00] done", false, "[12:00] done"],
	["a list of files", "a.ts\nb.ts\nc.ts", false, ""],
	["a last line that tells", "compiling\nlinking\n✓ built in 3.2s\n\n", false, "✓ built in 3.2s"],
	["tests that passed", "PASS test/import.test.ts (12 tests) 4.1s\n\nTests  12 passed\n", false, "PASS · 12 passed"],
	[
		"tests that passed, as vitest says it",
		"\u001b[32m✓\u001b[39m a.test.ts\n\n Tests  12 passed (12)",
		false,
		"12 passed",
	],
	[
		"tests that failed",
		"FAIL test/import.test.ts\n  ✗ imports a file\nTests  1 failed | 11 passed\n\n\nCommand exited with code 1",
		true,
		"FAIL test/import.test.ts · 1 failed",
	],
	["zero failures", "Tests  12 passed, 0 failed", false, "12 passed"],
	[
		"the first error of a compiler, behind what npm says",
		"\n> api@1.0.0 check\n> tsc\n\nsrc/a.ts(3,1): error TS2322: no.\nnpm error command failed\n\n\nCommand exited with code 2",
		true,
		"src/a.ts(3,1): error TS2322: no.",
	],
	["an error without a word that we know", "hm\nwell\n\nCommand exited with code 1", true, "well"],
	["only that it failed", "Command exited with code 1", true, ""],
	["that it was aborted", "Debugger attached.\n\nCommand aborted", true, ""],
])("%s", (_what, output, failed, words) => {
	expect(summarizeOutput(output, failed)).toBe(words);
});
