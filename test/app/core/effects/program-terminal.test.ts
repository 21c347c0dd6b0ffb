import { expect, test, vi } from "vitest";
import { createProgramTerminal } from "../../../../src/app/core/effects/program-terminal.ts";
import type { ProgramEnd } from "../../../../src/app/world/effects/capabilities.ts";

test("the terminal is lent to one program at a time", async () => {
	const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
	const runForeground = vi.fn(() => promise);
	const terminal = createProgramTerminal(
		{ writeTerminal: () => undefined, runForeground },
		{ whileResting: (work) => work(), showProgress: () => undefined, leave: () => undefined },
	);
	terminal.onLend((work) => work());
	const editor = { command: "vi", args: [], cwd: "/" };
	const first = terminal.lend(editor);
	expect(await terminal.lend(editor)).toBeUndefined();
	resolve({ code: 0 });
	expect([await first, runForeground.mock.calls.length]).toEqual([{ code: 0 }, 1]);
});
