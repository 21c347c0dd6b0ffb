import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { App } from "../../components/App.tsx";
import { shownSession } from "../../src/app/world/state/state.ts";
import type { Demo } from "../../src/cli/browser/demo.ts";
import { sumSteps } from "../../src/conversation/glance/session-sum.ts";
import { runToEnd } from "../../src/shared/steps.ts";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { createTheme } from "../../src/ui/theme/theme.ts";
import { collectionOfFile } from "../support/collection.ts";
import { realSession } from "../support/real-session.ts";
import { draw } from "../support/render.tsx";
import { NOW } from "../support/rows.ts";
import { type Driver, startProgram } from "../support/start-program.ts";

// Golden screens, colors included, of a real session, where there is one (support/real-session.ts). Its text is nobody
// else's, so only a hash of each screen is kept. Two variables say what is written:
//     PI_GROVE_WRITE=1       the hashes of the screens as they are now
//     PI_GROVE_SCREENS=DIR   the screens themselves, as text, into a directory outside of the project

const HASHES = join(import.meta.dirname, "golden", "real-session.json");
const isWriting = process.env.PI_GROVE_WRITE === "1";
const screensDir = process.env.PI_GROVE_SCREENS;

const SIZES = [
	[200, 60],
	[160, 45],
	[80, 24],
] as const;

function nameOf(scene: string, [columns, rows]: readonly [number, number]): string {
	return `${scene}-${columns}x${rows}`;
}

/** A scene: its name, then bindings by their ids; `text:` is typed. */
const SCENES: ReadonlyArray<readonly [name: string, ...bindings: string[]]> = [
	["tree"],
	["turns", "filter-turns"],
	["all", "filter-all", "first"],
	["filter", "text:error"],
	["reader", "previous-prompt", "previous-prompt", "next-pane"],
	["page", "previous-prompt", "previous-prompt", "full-page", "page-down", "page-down"],
	["glance", "previous-prompt", "resume"],
	["branches", "branches"],
];

const known: Readonly<Record<string, unknown>> = existsSync(HASHES) ? JSON.parse(readFileSync(HASHES, "utf8")) : {};
const now = new Map<string, string>();

let unmount: (() => void) | undefined;
afterEach(() => {
	unmount?.();
	unmount = undefined;
});

afterAll(() => {
	if (!isWriting || now.size === 0) return;
	// Not all scenes may have been run.
	const names = SCENES.flatMap(([scene]) => SIZES.map((size) => nameOf(scene, size)));
	const hashes = names.map((name) => [name, now.get(name) ?? known[name]] as const);
	writeFileSync(HASHES, `${JSON.stringify(Object.fromEntries(hashes), null, "\t")}\n`);
});

const copyIn = ({ cwd, agentDir }: Demo): string =>
	join(defaultSessionDir(cwd, agentDir), "2025-11-20T23-33-50-805Z_real.jsonl");

/** The session among those of the demo. */
const collection = collectionOfFile((demo) => {
	if (realSession === undefined) return;
	const copy = copyIn(demo);
	mkdirSync(dirname(copy), { recursive: true });
	copyFileSync(realSession, copy);
	utimesSync(copy, NOW / 1000, NOW / 1000);
});

/** The program on that session, the focus on its tree. */
async function startOnIt(): Promise<Driver> {
	const driver = await startProgram({ columns: 160, rows: 45 }, { collection: collection() });
	const copy = copyIn(driver.demo);
	const { rows } = driver.program.getState().catalog;
	await driver.select(rows.get(copy)?.firstMessage ?? expect.fail("it is not listed"));
	// What it comes to is on all of these screens, whenever the counter would be ready.
	const session = shownSession(driver.program.getState().detail) ?? expect.fail("it is not read");
	runToEnd(sumSteps(session, driver.demo.home));
	driver.press("next-pane");
	return driver;
}

/** The screen, once nothing more is loaded for it. */
async function screenOf(driver: Driver, columns: number, rows: number): Promise<string> {
	await driver.idle();
	await driver.until("all that comes later", ({ glance, reader, branches }) => {
		const isRead = reader.renderers !== undefined && reader.searching === undefined;
		return isRead && reader.coloring === undefined && glance.facts !== undefined && branches.gathering === undefined;
	});
	const app = <App program={driver.program} theme={createTheme({ depth: "24-bit" })} />;
	const { terminal, ink } = draw(app, columns, rows);
	unmount = () => ink.unmount();
	await terminal.screen();
	return (await terminal.styledScreen()).replaceAll(/demo-\w{6}/g, "demo-XXXXXX");
}

test.skipIf(realSession === undefined).each(SCENES)("a real session: %s", async (scene, ...bindings) => {
	const driver = await startOnIt();
	for (const binding of bindings) {
		if (binding.startsWith("text:")) driver.type(binding.slice("text:".length));
		else driver.press(binding);
		await driver.idle();
	}
	for (const size of SIZES) {
		const [columns, rows] = size;
		driver.send({ type: "resize", columns, rows });
		const screen = await screenOf(driver, columns, rows);
		unmount?.();
		const name = nameOf(scene, size);
		if (screensDir !== undefined) {
			mkdirSync(screensDir, { recursive: true });
			writeFileSync(join(screensDir, `${name}.txt`), screen, { mode: 0o600 });
		}
		const hash = createHash("sha256").update(screen).digest("hex");
		now.set(name, hash);
		const help = `${name} is another screen now. To see it, write the screens of this commit and of the one before into
directories, PI_GROVE_SCREENS=/tmp/now npx vitest run test/app/real-session.test.tsx, and compare these. If it is as it
should be, PI_GROVE_WRITE=1 accepts it`;
		if (!isWriting) expect.soft(hash, help).toBe(known[name]);
	}
});
