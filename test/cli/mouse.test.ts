import { beforeEach, expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

test("the mouse chooses, opens, scrolls and moves the divider", async () => {
	const terminal = sandbox.start([], { columns: 160, rows: 45 });
	await terminal.waitFor("1/3");
	terminal.type("\x1b[<0;10;5M\x1b[<0;10;5m");
	await terminal.waitFor("2/3");
	await terminal.waitFor("Stream it instead");
	terminal.type("\x1b[<65;10;4M\x1b[<65;10;4M");
	await terminal.waitFor("3/3");
	terminal.type("\x1b[<64;10;4M");
	await terminal.waitFor("1/3");
	// A second press at once opens.
	terminal.type("\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<0;10;5M\x1b[<0;10;5m");
	await terminal.waitFor("› Refactor the parser");
	await terminal.waitFor((screen) => screen.split("\n")[1]?.[76] === "┬");
	terminal.type("\x1b[<0;77;20M\x1b[<32;60;20M\x1b[<32;50;20M\x1b[<0;50;20m");
	await terminal.waitFor((screen) => screen.split("\n")[1]?.[49] === "┬");
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(0);
});

const WAYS = [
	["--no-mouse", ["--no-mouse"], {}],
	["PI_GROVE_NO_MOUSE", [], { PI_GROVE_NO_MOUSE: "1" }],
] as const;

test.each(inShort(WAYS, ([way]) => way === "PI_GROVE_NO_MOUSE"))(
	"with %s the terminal keeps it",
	async (_, args, env) => {
		const terminal = sandbox.start(args, { env });
		await terminal.waitFor("1/3");
		expect(terminal.written).not.toContain("\x1b[?1000h");
	},
);
