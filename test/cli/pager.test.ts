import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { inLong, inShort } from "../support/cases.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { assistant, header, user } from "../support/session-builder.ts";
import type { TestTerminal } from "../support/terminal.ts";

/** Many times what fits on a screen, and what a pipe holds that nobody reads. */
const COUNT = inLong(3000, 300);

const sandbox = sandboxOfTest();
beforeEach(() => {
	const said = [user("a1", null, 1, "Hello"), assistant("a2", "a1", 2, "Here I am.")];
	sandbox.write("short.jsonl", header({ id: "short" }), ...said);
	const answers = Array.from({ length: COUNT }, (_, index) =>
		assistant(`b${index}`, index === 0 ? "a0" : `b${index - 1}`, 2 + index, `Answer ${index}. ${"x ".repeat(200)}`),
	);
	const beside = assistant("c1", "a0", 1, "Beside.");
	sandbox.write("long.jsonl", header({ id: "long" }), user("a0", null, 1, "Go"), beside, ...answers);
});

/** Without the pager of the person who runs the tests, and as for a person. */
const NOBODYS = { PAGER: undefined, LESS: undefined, LV: undefined, PI_CODING_AGENT: undefined, AI_AGENT: undefined };

function show(args: string, env: Readonly<Record<string, string>> = {}, within: readonly string[] = []): TestTerminal {
	const options = { columns: 80, rows: 12, env: { ...NOBODYS, ...env }, within };
	return sandbox.start(["show", ...args.split(" ")], options);
}

/** A pager that keeps in a file what it is given. */
function keeper(): { readonly command: string; readonly kept: string } {
	const command = join(sandbox.directory("bin"), "keeper");
	const kept = join(sandbox.home, "kept");
	writeFileSync(command, `#!/bin/sh\ncat >'${kept}'\necho "kept it $*"\n`);
	chmodSync(command, 0o755);
	return { command, kept };
}

describe.skipIf(spawnSync("less", ["--version"]).status !== 0)("in less", () => {
	test("what fits on the screen needs no key", async () => {
		const terminal = show("short --entry");
		expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
		expect(terminal.written).toContain("Here I am.");
	});

	test("a long text is shown by pages, in color; ending it early is no error", async () => {
		const terminal = show("long");
		await terminal.waitFor(/❯ Go[\s\S]*\n:/);
		expect(terminal.written).toContain("\x1b[");
		expect(terminal.written).not.toContain("Answer 20.");
		terminal.type(" ");
		await terminal.waitFor("Answer 1.");
		terminal.type("q");
		expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
	});

	test("notes follow the text, when less has ended", async () => {
		const tree = show("long --tree");
		await tree.waitFor(/\n:/);
		tree.type("G");
		await tree.waitFor("(END)");
		expect(tree.written).not.toContain("--all opens all");
		tree.type("q");
		expect((await tree.exit()).code).toBe(0);
		expect(tree.written.trimEnd()).toMatch(/1 branch folded; --all opens all of them$/);
	});

	test("ctrl+c is for less, and the terminal is as it was afterwards", async () => {
		// The shell outlives ctrl+c, as one does that a person types into.
		const script = `trap : INT; stty -g >before; "$@"; echo "ended with $?"; stty -g >after; read line; echo "$line" >typed`;
		const terminal = show("long", {}, ["sh", "-c", script, "sh"]);
		await terminal.waitFor(/❯ Go[\s\S]*\n:/);
		terminal.press("ctrl+c");
		// less throws away what is typed until it has handled the signal; to go to the end twice is to go there once.
		const goesToEnd = (): string => {
			terminal.type("G");
			return terminal.written;
		};
		await expect.poll(goesToEnd, { interval: 100 }).toContain("(END)");
		expect(terminal.written).not.toContain("ended with");
		terminal.type("q");
		await terminal.waitFor("ended with 0");
		terminal.type("hello\r");
		await terminal.exit();
		expect(readFileSync(join(sandbox.home, "typed"), "utf8")).toBe("hello\n");
		const [before, after] = ["before", "after"].map((name) => readFileSync(join(sandbox.home, name), "utf8"));
		expect(after).toBe(before);
	});

	test("a signal for the program ends less, too", async () => {
		const terminal = show("long");
		await terminal.waitFor(/❯ Go[\s\S]*\n:/);
		terminal.signal("SIGTERM");
		expect((await terminal.exit()).code).toBe(143);
	});
});

describe("in the pager that PAGER names", () => {
	test("all of it is shown in any form, with arguments of the pager, and what is on stderr follows", async () => {
		const { command, kept } = keeper();
		for (const form of inShort(["--full", "--json", "--markdown", "--tree"], (_, index) => index === 0)) {
			const terminal = show(`long ${form} --width 60`.replace(/(--markdown|--json) --width 60/, "$1"), {
				PAGER: `${command} --quiet`,
			});
			expect((await terminal.exit()).code).toBe(0);
			// What takes a while says so meanwhile.
			const text = terminal.written.replace(/^\r\x1b\[KReading ….*\r\x1b\[K/, "");
			expect(text).toMatch(/^kept it --quiet\r\n/);
			expect(readFileSync(kept, "utf8").length).toBeGreaterThan(50_000);
		}
	});

	test("nothing is shown in it if nothing is printed, without a terminal, with --no-pager, or in a dumb terminal", async () => {
		const { command, kept } = keeper();
		const missing = show("nobody", { PAGER: command });
		expect((await missing.exit()).code).toBe(2);
		expect(run(sandbox, ["show", "short"], { PAGER: command }).out).toContain("Here I am.");
		const ways: readonly Parameters<typeof show>[] = [
			["short --no-pager", { PAGER: command }],
			["short", { PAGER: command }, ["env", "TERM=dumb"]],
			["short", { PAGER: command, AI_AGENT: "1" }, ["sh", "-c", '"$@" </dev/null', "sh"]],
		];
		for (const way of ways) {
			const terminal = show(...way);
			expect((await terminal.exit()).code).toBe(0);
			expect(terminal.written).toContain("Here I am.");
		}
		expect(existsSync(kept)).toBe(false);
	});

	test.each(inShort(["", " ", "cat"], (pager) => pager === " "))("%j is none", async (PAGER) => {
		const terminal = show(`long#b${COUNT - 10} --full`, { PAGER });
		expect((await terminal.exit()).code).toBe(0);
		expect(terminal.written).toContain(`Answer ${COUNT - 1}.`);
	});

	test("one that is missing is reported, and the text is printed without it", async () => {
		const terminal = show("short", { PAGER: "no-such-pager -x" });
		expect((await terminal.exit()).code).toBe(0);
		expect(terminal.written).toContain('$PAGER names the program "no-such-pager", which does not exist');
		expect(terminal.written).toContain("Here I am.");
	});

	test("one that a shell cannot start is reported, with what to do", async () => {
		const terminal = show("short", { PAGER: '"$HOME/none"' });
		expect((await terminal.exit()).code).toBe(2);
		expect(terminal.written).toMatch(
			/cannot show it in "\$HOME\/none": it ended with exit code 127\. Without a pager: --no-pager/,
		);
	});

	test("one that reads nothing, fails, or is killed by ctrl+c leaves no error", async () => {
		for (const PAGER of inShort(["true", "head -2", "sh -c 'head -1; exit 3' sh"], (pager) => pager.startsWith("sh")))
			expect((await show("long", { PAGER }).exit()).code).toBe(0);
		// With exec there is only one process: a shell that is about to start another may lose the signal to it.
		const terminal = show("long", { PAGER: "sh -c 'head -1; echo WAITING; exec sleep 60' sh" });
		await terminal.waitFor("WAITING");
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(130);
		expect(terminal.written).not.toContain("pi-grove:");
	});
});
