import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { animatedSvg, type Scene, showsAt } from "../support/animated-svg.ts";
import { resting } from "../support/processes.ts";
import { Sandbox } from "../support/sandbox.ts";
import { GOLDEN_TEMPORARY } from "../support/temp-dir.ts";

const COLUMNS = 150;
const ROWS = 46;
/** The moment at which the film is taken: the demo's sessions are as old as they say then, at the same times of day. */
const TAKEN = Date.UTC(2026, 10, 20, 9, 30);
const FILM = join(import.meta.dirname, "..", "..", "docs", "demo.svg");
/** Set by `npm run docs`. */
const isTakenAnew = process.env.PI_GROVE_TAKE_FILM !== undefined;
const CLOCK = pathToFileURL(resolve(import.meta.dirname, "../support/fixed-clock.mjs")).href;

test("docs/demo.svg shows what the program shows now (npm run docs takes it anew)", async () => {
	const before = readFileSync(FILM, "utf8");
	const sandbox = new Sandbox(GOLDEN_TEMPORARY);
	try {
		const terminal = sandbox.start(["--demo"], {
			columns: COLUMNS,
			rows: ROWS,
			nodeArgs: ["--import", CLOCK],
			env: {
				MOVED_CLOCK_MS: String(TAKEN - Date.now()),
				TZ: "UTC",
				COLORTERM: "truecolor",
				PI_GROVE_THEME: "dark",
			},
		});
		const scenes: Scene[] = [];
		let sceneMs = 0;
		/** Waits for what is expected and all that comes behind it, and shows that for some time. */
		const show = async (expected: Parameters<typeof terminal.waitFor>[0], ms: number): Promise<void> => {
			await terminal.waitFor(expected);
			const middle = sceneMs + ms / 2;
			// How long a program rests before it goes on depends on the machine; what it shows in the end does not.
			if (isTakenAnew) await resting(terminal, 400);
			else await terminal.waitForFrame((frame) => showsAt(before, middle, frame));
			scenes.push({ frame: await terminal.frame(), ms });
			sceneMs += ms;
		};
		await show((screen) => screen.includes("⚑3") && screen.includes("Will do."), 2500);
		for (const title of ["The worker hangs", "Dark mode", "Refactor the import"]) {
			terminal.press("down");
			await show(`› ${title}`, 700);
		}
		let query = "";
		for (const typed of ["exp", "re", "ssion"]) {
			query += typed;
			terminal.type(typed);
			const isLast = query === "expression";
			await show((screen) => screen.includes(`❯ ${query} `) && /hit \d+\/\d+/.test(screen), isLast ? 2200 : 350);
		}
		terminal.press("right");
		await show(/hit 1\/\d/, 2200);
		terminal.press("right", "right");
		await show("/ find", 1200);
		terminal.press("pageDown");
		await show("fails where the old one failed", 2000);
		terminal.press("q");
		await terminal.waitFor("── tree");
		terminal.press("tab");
		await show("── branches", 2800);
		terminal.press("tab");
		await show((screen) => screen.includes("── changes") && screen.includes("turn 3 · edit"), 2800);
		terminal.press("escape");
		await terminal.waitFor("── branches");
		terminal.press("escape");
		await terminal.waitFor("── tree");
		terminal.press("left", "left");
		await terminal.waitFor("❯ expression");
		terminal.press("ctrl+u");
		await terminal.waitFor("type to search");
		terminal.press("<stats>");
		await show("statistics of 14 sessions", 3000);
		await expect(animatedSvg(scenes, COLUMNS, ROWS, { text: "#c0caf5", ground: "#1a1b26" })).toMatchFileSnapshot(FILM);
	} finally {
		sandbox.remove();
	}
});
