import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { runForeground } from "../../src/terminal/run-foreground.ts";

test("Ctrl+C goes to the program from its first moment to its last, and then to us again", async () => {
	const counts = () => ["SIGINT", "SIGQUIT"].map((signal) => process.listenerCount(signal));
	const before = counts();
	const seen: number[][] = [];
	const code = await runForeground(
		{
			command: process.execPath,
			args: ["-e", "process.exitCode = 3"],
			cwd: tmpdir(),
			onStart: () => {
				seen.push(counts());
				return () => undefined;
			},
			onFailure: (reason) => expect.unreachable(reason),
		},
		[0, 1, "inherit"],
	);
	expect(code).toBe(3);
	expect(seen).toEqual([before.map((count) => count + 1)]);
	expect(counts()).toEqual(before);
});
