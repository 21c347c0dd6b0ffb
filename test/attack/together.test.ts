import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type AttackCase, attack } from "../support/attack.ts";
import { inLong } from "../support/cases.ts";
import { copiesOf, sessionFiles, withThreeSessions } from "../support/kept-content.ts";
import { programPath, type Sandbox } from "../support/sandbox.ts";
import { assistant } from "../support/session-builder.ts";
import { runSoundly } from "../support/sound-output.ts";

/** What a shell does; `S` stands for the path of a session. */
const COMMANDS: readonly (readonly string[])[] = [
	["rename", "S", "a name"],
	["rename", "S", ""],
	["label", "S#00010001", "here"],
	["branch", "S#00010001"],
	["fork", "S"],
	["delete", "S"],
	["undo"],
	["undo"],
	["restore", "S"],
	["forward", "S"],
	["tidy", "tiny", "--delete"],
	["list", "--json"],
	["search", "the"],
	["export", "S", "--html"],
];

/** What is pressed in the browser. */
const KEYS: readonly (readonly string[])[] = [
	["down"],
	["up"],
	["home"],
	["ctrl+r", "z", "enter"],
	["ctrl+d", "enter"],
	["ctrl+d", "escape"],
	["ctrl+_"],
	["alt+n", "enter"],
	["<archive>", "enter"],
	["<pin>"],
	["a", "b", "ctrl+u"],
	["right", "down", "alt+l", "q", "enter", "left"],
];

/** Commands of each shell. */
const TURNS = inLong(8, 2);

attack("two shells, a browser and a pi at once: nothing is lost, the list is what is on the disk", 1, (one) =>
	withThreeSessions(async ({ sandbox, paths, expectNothingLost }) => {
		const terminal = sandbox.start();
		await terminal.waitFor("3 sessions");
		let isOver = false;
		const shells = Promise.all([shell(sandbox, paths, one), shell(sandbox, paths, one)]).finally(() => {
			isOver = true;
		});
		const appended: { readonly path: string; readonly line: string }[] = [];
		while (!isOver) {
			// Each turn waits for the browser to have drawn something: as fast as it can take keys.
			const drawn = terminal.written.length;
			terminal.press(...one.pick(KEYS));
			const path = one.pick(paths);
			const line = assistant(`pi${appended.length}`, null, 1, `said by pi ${one.seed}.${appended.length}.`);
			if (existsSync(path)) {
				appendFileSync(path, `${line}\n`);
				appended.push({ path, line });
			}
			await Promise.race([shells, terminal.waitFor(() => terminal.written.length > drawn).catch(() => undefined)]);
			await new Promise((turn) => setTimeout(turn, one.below(60)));
		}
		const codes = (await shells).flat();
		expect(codes.filter((code) => code === null || code > 2)).toEqual([]);
		terminal.press("escape", "escape", "ctrl+c");
		await terminal.exit();
		expectNothingLost();
		for (const { path, line } of appended)
			expect(copiesOf(sandbox, path).filter((now) => now.includes(line)).length, line).toBeGreaterThan(0);
		const listed = JSON.parse(runSoundly(sandbox, ["list", "--json"]).out) as readonly { readonly path: string }[];
		const onDisk = sessionFiles(sandbox).filter((path) => path.startsWith(join(sandbox.agentDir, "sessions")));
		expect(listed.map(({ path }) => path).sort()).toEqual(onDisk);
		return codes.length + appended.length;
	}),
);

/** Runs commands one after the other; resolves with their exit codes. */
async function shell(sandbox: Sandbox, paths: readonly string[], { pick }: AttackCase): Promise<(number | null)[]> {
	const codes: (number | null)[] = [];
	for (let turn = 0; turn < TURNS; turn++) {
		const args = pick(COMMANDS).map((arg) => arg.replace(/^S/, pick(paths)));
		const isChange = !["list", "search"].includes(args[0] ?? "");
		const child = spawn(process.execPath, [programPath, ...args, ...(isChange ? ["--yes"] : [])], {
			env: { ...process.env, ...sandbox.env },
			cwd: sandbox.home,
			stdio: "ignore",
		});
		const [code] = await once(child, "exit");
		codes.push(code);
	}
	return codes;
}
