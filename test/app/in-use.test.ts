import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectedRow } from "../../src/app/world/list/select-list.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { noteHandOver } from "../../src/catalog/live/process-notes.ts";
import { labelEntry } from "../../src/store/actions/session-actions.ts";
import { startFakePi } from "../support/fake-pi.ts";
import { assistant, lines } from "../support/session-builder.ts";
import { type Driver, startProgram } from "../support/start-program.ts";

/** The browser with the cursor on a session of which nobody knows anything. */
async function onSession(): Promise<{
	readonly driver: Driver;
	readonly path: string;
	readonly cwd: string;
	readonly leaf: string;
}> {
	const driver = await startProgram(undefined, { processes: true });
	const state = await driver.select("Weekly note");
	const row = selectedRow(state);
	if (row === undefined || state.detail.status !== "ready") throw new Error("nothing is selected");
	return { driver, path: row.path, cwd: row.cwd, leaf: state.detail.session.tree.leafId ?? "" };
}

const message = (part: string) => (state: State) => state.message?.text.includes(part) === true;

/** Has another browser start a pi with a session. */
async function handOver({ env }: Driver, path: string, cwd: string) {
	const pi = await startFakePi(cwd, ["--session", path]);
	noteHandOver(join(env.XDG_STATE_HOME ?? "", "pi-grove"), { path, pid: pi.pid, startedMs: Date.now() });
	return pi;
}

test("a message written while the delete question is open, and not yet on the screen, keeps the file", async () => {
	const { driver, path, leaf } = await onSession();
	driver.press("delete");
	const before = readFileSync(path, "utf8");
	const appended = lines(assistant("later", leaf, 9, "written meanwhile"));
	appendFileSync(path, appended);
	// In the same turn: nothing of it can have been drawn.
	driver.send({ type: "keys", keys: ["enter"] });
	await driver.until("the refusal", ({ overlays }) => JSON.stringify(overlays).includes("Written to just now: "));
	expect(readFileSync(path, "utf8")).toBe(before + appended);
});

test("a label set by another window while the delete question is open keeps the file, and it says so", async () => {
	const { driver, path, leaf } = await onSession();
	driver.press("delete");
	labelEntry(path, leaf, "just now");
	driver.send({ type: "keys", keys: ["enter"] });
	await driver.until("the reason", message("something was written to it meanwhile"));
	expect(existsSync(path)).toBe(true);
});

test("enter asks when a pi was started with the session a moment ago, and again when another one is by then", async () => {
	const { driver, path, cwd } = await onSession();
	driver.installPi();
	const first = await handOver(driver, path, cwd);
	driver.press("resume");
	const asked = await driver.until("the question", ({ overlays }) => overlays.length === 1);
	expect(JSON.stringify(asked.overlays)).toContain(`pid ${first.pid}`);
	const second = await handOver(driver, path, cwd);
	driver.press("down", "choose");
	await driver.until("the other question", ({ overlays }) => JSON.stringify(overlays).includes(`pid ${second.pid}`));
	driver.press("down", "choose");
	expect(await driver.program.exited).toMatchObject({ kind: "resume", path });
});

test("a session whose file went a moment ago is not handed to pi, which would begin a new one there", async () => {
	const { driver, path } = await onSession();
	driver.installPi();
	rmSync(path);
	driver.send({ type: "keys", keys: ["enter"] });
	await driver.until("the reason", message("no longer there"));
});
