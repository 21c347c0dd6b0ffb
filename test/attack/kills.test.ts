import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { attack } from "../support/attack.ts";
import { inLong } from "../support/cases.ts";
import { withThreeSessions } from "../support/kept-content.ts";
import { programPath } from "../support/sandbox.ts";
import { runSoundly } from "../support/sound-output.ts";

/** What changes something; `S` stands for the path of a session. */
const CHANGES: readonly (readonly string[])[] = [
	["rename", "S", "another name"],
	["label", "S#00010001", "here"],
	["branch", "S#00010001"],
	["fork", "S"],
	["delete", "S"],
	["export", "S", "--html"],
	["export", "S", "--out", "out/"],
	["forward", "S"],
	["fork", "S", "--to", "."],
	["tidy", "tiny", "--delete"],
	["undo"],
	["restore", "S"],
];

/** How long a command takes at most before it is killed, in ms: about what it needs. */
const KILLED_MS = 500;

attack("commands killed at any moment: nothing is lost, and the next one goes on", inLong(2, 1), ({ pick, below }) =>
	withThreeSessions(async ({ sandbox, paths, expectNothingLost }) => {
		const path = paths[0] ?? "";
		const args = pick(CHANGES).map((arg) => arg.replace(/^S/, path));
		// What undo and restore are about.
		if (["undo", "restore"].includes(args[0] ?? "")) runSoundly(sandbox, ["delete", path, "--yes"]);
		const out = sandbox.directory("out");
		const child = spawn(process.execPath, [programPath, ...args, "--yes"], {
			env: { ...process.env, ...sandbox.env },
			cwd: out,
			stdio: "ignore",
		});
		const ended = once(child, "exit");
		await delay(below(KILLED_MS));
		child.kill("SIGKILL");
		await ended;
		expectNothingLost(args.join(" "));
		for (const name of readdirSync(out, { recursive: true, encoding: "utf8" }))
			if (/\.(?:html|md)$/.test(name))
				expect(readFileSync(join(out, name), "utf8"), args.join(" ")).toMatch(/(?:<\/html>|\S)\n$/);
		for (const next of [["list"], ["undo", "--yes"], ["history"], ["rename", path, "a third name", "--yes"]])
			runSoundly(sandbox, next);
		expectNothingLost(args.join(" "));
		return 1;
	}),
);

/** What is pressed in the browser, one after the other. */
const KEYS: readonly (readonly string[])[] = [
	["ctrl+d", "enter"],
	["ctrl+r", "x", "enter"],
	["alt+n", "enter"],
	["right", "alt+l", "y", "enter", "left"],
	["insert", "down", "insert", "ctrl+d", "enter"],
	["<archive>", "enter"],
	["<mark-all>", "<archive>", "enter"],
	["<mark-all>", "ctrl+d", "enter"],
	["<pin>"],
	["\x1b[21~", "enter"],
	["ctrl+_"],
	["down"],
];

attack("a browser killed at any moment: nothing is lost, and the next one goes on", inLong(2, 1), ({ pick, below }) =>
	withThreeSessions(async ({ sandbox, expectNothingLost }) => {
		const terminal = sandbox.start();
		await terminal.waitFor("3 sessions");
		for (let count = 1 + below(4); count > 0; count--) terminal.press(...pick(KEYS));
		await delay(below(300));
		terminal.signal("SIGKILL");
		await terminal.exit();
		expectNothingLost();
		for (const next of [["list"], ["undo", "--yes"], ["history"], ["restore"]]) runSoundly(sandbox, next);
		expectNothingLost();
		return 1;
	}),
);
