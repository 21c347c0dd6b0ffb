import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { eachMove } from "../../../src/app/features/moved/each-move.ts";
import { movedGroups, placeOf } from "../../../src/app/features/moved/gone-groups.ts";
import type { MenuOverlay } from "../../../src/app/world/overlays.ts";
import type { State } from "../../../src/app/world/state.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { defaultSessionDir } from "../../../src/store/read/session-dir.ts";
import { DATA_HOME } from "../../support/data-home.ts";
import { NOW } from "../../support/rows.ts";
import { conversation, lines } from "../../support/session-builder.ts";
import { type Driver, startProgram } from "../../support/start-program.ts";

beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;

let sessions = 0;

/** Writes sessions of a project in the demo's home, whether it is there or not; returns their paths. */
function write(driver: Driver, project: string, count: number, parentSession?: string): string[] {
	const cwd = join(driver.demo.home, project);
	const directory = defaultSessionDir(cwd, driver.demo.agentDir);
	mkdirSync(directory, { recursive: true });
	return Array.from({ length: count }, () => {
		const number = String(++sessions).padStart(4, "0");
		const { lines: all, id } = conversation({
			...{ number, cwd, endMs: NOW - sessions * 60_000, name: `Work ${number}` },
			messages: [
				{ role: "user", text: `Question ${number}` },
				{ role: "assistant", text: "Answer." },
			],
			...(parentSession === undefined ? {} : { parentSession }),
		});
		const path = join(directory, `2026-01-01T00-00-00-000Z_${id}.jsonl`);
		writeFileSync(path, lines(...all));
		return path;
	});
}

/** Starts with three projects that were moved from "old" to "new", and one that is nowhere. */
async function start() {
	const driver = await startProgram();
	const home = driver.demo.home;
	for (const name of ["api", "web"]) mkdirSync(join(home, "new", name), { recursive: true });
	const paths = {
		api: write(driver, "old/api", 4),
		web: write(driver, "old/web", 2),
		thing: write(driver, "nowhere/thing", 1),
	};
	driver.press("refresh");
	const all = Object.values(paths).flat();
	await driver.until("the sessions, whole", ({ catalog }) =>
		all.every((path) => catalog.rows.get(path)?.size === statSync(path).size),
	);
	await driver.idle();
	return { driver, home, paths };
}

/** Opens the page and waits until all is looked at. */
async function open(driver: Driver): Promise<State> {
	driver.press("moved");
	return driver.until("the places", (state) => isLooked(state, driver.demo.home));
}

function isLooked(state: State, home: string): boolean {
	const mine = movedGroups(state).filter(({ key }) => key.startsWith(home));
	return mine.length > 0 && state.moved.looking.length === 0 && mine.every(({ key }) => state.moved.found.has(key));
}

/** Puts the cursor on a directory. */
function goTo(driver: Driver, directory: string): void {
	driver.press("first");
	const key = (): string | undefined => {
		const state = driver.program.getState();
		return state.moved.cursor.selected ?? movedGroups(state)[0]?.key;
	};
	for (let moves = 0; moves < 1000 && key() !== directory; moves++) driver.press("down");
	expect(key()).toBe(directory);
}

function question({ overlays }: State): string {
	const { title, body, items } = overlays.at(-1) as MenuOverlay;
	const text = body.map((line) => line.map((part) => part.text).join(""));
	return [title, ...text, ...items.map(({ label }) => label)].join("\n");
}

const forksIn = (driver: Driver, cwd: string): string[] => {
	const directory = defaultSessionDir(cwd, driver.demo.agentDir);
	return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
};

describe("moved projects", () => {
	test("proposes where they are, asks with the sum, forks all as one step, and one undo takes all back", async () => {
		const { driver, home, paths } = await start();
		const before = [...paths.api, ...paths.web].map((path) => readFileSync(path, "utf8"));
		const state = await open(driver);
		const placeFor = (way: string) => {
			const group = movedGroups(state).find(({ key }) => key === join(home, way));
			return group && placeOf(state, group);
		};
		expect(["old/api", "old/web", "nowhere/thing"].map(placeFor)).toEqual([
			join(home, "new/api"),
			join(home, "new/web"),
			undefined,
		]);
		goTo(driver, join(home, "old/api"));
		driver.press("mark-row");
		goTo(driver, join(home, "old/web"));
		driver.press("mark-row", "fork-moved");
		const asked = question(driver.program.getState());
		expect(asked).toMatch(/^Fork 6 sessions\?\n[\d.]+ KB to copy\n/);
		expect(asked).toContain("~/old/api → ~/new/api  4 sessions");
		expect(asked).toMatch(/Fork 6 sessions\nSee each of them\nCancel$/);
		// A dry run changes nothing.
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
		driver.press("choose");
		await driver.until("the forks", says("Forked 6 sessions into 2 directories (undo takes it back)"));
		expect([...paths.api, ...paths.web].map((path) => readFileSync(path, "utf8"))).toEqual(before);
		const forks = forksIn(driver, join(home, "new/api"));
		const heads = forks.map((path) => JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? ""));
		expect(heads.map(({ parentSession }) => parentSession).sort()).toEqual(paths.api.toSorted());
		expect(heads.every(({ cwd }) => cwd === join(home, "new/api"))).toBe(true);
		expect(forks.map((path) => SessionManager.open(path).getSessionName()).sort()).toEqual(
			paths.api.map((path) => SessionManager.open(path).getSessionName()).sort(),
		);
		await driver.until("the list", ({ catalog }) => forks.every((path) => catalog.rows.has(path)));
		// What is forked is not forked again.
		driver.press("fork-moved");
		expect(question(driver.program.getState())).toMatch(
			/^Nothing to fork\n.*\n6 are left out: 6 forked there already\./,
		);
		driver.press("cancel", "undo");
		await driver.until("the undo", says("Undone: fork 6 sessions into 2 directories"));
		expect([...forksIn(driver, join(home, "new/api")), ...forksIn(driver, join(home, "new/web"))]).toEqual([]);
		expect([...paths.api, ...paths.web].map((path) => readFileSync(path, "utf8"))).toEqual(before);
	});

	test("what is gone on with since is kept by the undo; the others go", async () => {
		const { driver, home } = await start();
		await open(driver);
		goTo(driver, join(home, "old/api"));
		driver.press("fork-moved", "choose");
		await driver.until("the forks", says("Forked 4 sessions into ~/new/api"));
		const [used = ""] = forksIn(driver, join(home, "new/api"));
		SessionManager.open(used).appendMessage({ role: "user", content: "More", timestamp: NOW });
		driver.press("undo");
		const { overlays } = await driver.until("the question", (state) => state.overlays.at(-1)?.kind === "menu");
		expect(overlays.length).toBe(2);
		driver.press("choose");
		await driver.until("the undo", says("gone on with"));
		expect(forksIn(driver, join(home, "new/api"))).toEqual([used]);
	});

	test("what cannot be made does not keep the others from it, is named, and is not to be undone", async () => {
		const { driver, home, paths } = await start();
		// A file is in the place of the directory of sessions.
		writeFileSync(defaultSessionDir(join(home, "new/web"), driver.demo.agentDir), "");
		await open(driver);
		goTo(driver, join(home, "old/api"));
		driver.press("mark-row");
		goTo(driver, join(home, "old/web"));
		driver.press("mark-row", "fork-moved");
		// Gone between the question and the answer.
		const [first = ""] = paths.api;
		const content = readFileSync(first, "utf8");
		rmSync(first);
		driver.press("choose");
		const { message } = await driver.until("the forks", says("Forked 3 sessions into 2 directories; 3 not: "));
		expect(message?.tone).toBe("warning");
		expect(forksIn(driver, join(home, "new/api")).length).toBe(3);
		writeFileSync(first, content);
		driver.press("undo");
		await driver.until("the undo", says("Undone: fork 6 sessions into 2 directories: 3 of them"));
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
	});

	test("a place that has gone meanwhile gets nothing", async () => {
		const { driver, home } = await start();
		await open(driver);
		goTo(driver, join(home, "old/api"));
		driver.press("fork-moved");
		rmSync(join(home, "new/api"), { recursive: true });
		driver.press("choose");
		await driver.until("the refusal", says("is not there any more"));
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
	});

	test("damaged sessions and those in the archive are left out, and named", async () => {
		const { driver, home, paths } = await start();
		const [first = ""] = paths.web;
		writeFileSync(first, `${JSON.stringify({ type: "session", version: 3, cwd: join(home, "old/web") })}\n`);
		const other = write(driver, "old/web", 1)[0] ?? "";
		const archive = join(driver.demo.agentDir, "session-archive", `${dirname(other).split("/").at(-1)}`);
		mkdirSync(archive, { recursive: true });
		writeFileSync(join(archive, "put-away.jsonl"), readFileSync(other));
		driver.press("refresh");
		await driver.until("the archive", ({ catalog }) => [...catalog.rows.values()].some(({ archived }) => archived));
		await driver.until("the damage", ({ catalog }) => (catalog.rows.get(first)?.diagnostics.length ?? 0) > 0);
		await open(driver);
		const group = movedGroups(driver.program.getState()).find(({ key }) => key === join(home, "old/web"));
		expect(group?.archived).toBe(1);
		goTo(driver, join(home, "nowhere/thing"));
		driver.press("mark-row");
		goTo(driver, join(home, "old/web"));
		driver.press("mark-row", "fork-moved");
		expect(question(driver.program.getState())).toContain("1 directory has no place yet, and is left out.");
		expect(question(driver.program.getState())).toMatch(
			/^Fork 2 sessions into ~\/new\/web\?\n.*\n1 is left out: 1 that pi cannot open\./,
		);
	});

	test("another proposal, or a directory that is typed", async () => {
		const { driver, home } = await start();
		mkdirSync(join(home, "attic/api"), { recursive: true });
		mkdirSync(join(home, "renamed"));
		await open(driver);
		goTo(driver, join(home, "old/api"));
		const place = () => {
			const state = driver.program.getState();
			const group = movedGroups(state).find(({ key }) => key === join(home, "old/api"));
			return group && placeOf(state, group);
		};
		expect(place()).toBe(join(home, "new/api"));
		driver.press("previous-place");
		const last = place();
		expect(last?.endsWith("/api")).toBe(true);
		expect(last).not.toBe(join(home, "new/api"));
		driver.press("next-place");
		expect(place()).toBe(join(home, "new/api"));
		driver.press("type-place", "erase-all");
		driver.type("~/nowhere");
		driver.press("choose");
		await driver.until("the refusal", says("There is no directory ~/nowhere"));
		driver.press("erase-all");
		driver.type("~/ren");
		await driver.until("the folders", ({ moved }) => moved.folders?.names?.includes("renamed") === true);
		driver.press("complete-place", "choose");
		await driver.until("the place", ({ overlays }) => overlays.at(-1)?.kind === "moved");
		expect(place()).toBe(join(home, "renamed"));
	});

	test("from the question of a resume whose directory is gone, to where that may be", async () => {
		const { driver, home, paths } = await start();
		await driver.select(driver.program.getState().catalog.rows.get(paths.web[0] ?? "")?.name ?? "");
		driver.send({ type: "directory-missing", request: { path: paths.web[0] ?? "", cwd: join(home, "old/web") } });
		driver.press("down", "down", "choose");
		const state = await driver.until("the places", (now) => isLooked(now, home));
		expect(state.moved.cursor.selected).toBe(join(home, "old/web"));
		driver.press("fork-moved");
		expect(question(driver.program.getState())).toMatch(/^Fork 2 sessions into ~\/new\/web\?/);
	});

	test("escape unmarks, then closes; the key that opens it closes it", async () => {
		const { driver } = await start();
		await open(driver);
		driver.press("mark-all-rows");
		expect(driver.program.getState().moved.marks.marked.size).toBe(2);
		driver.press("mark-all-rows");
		expect(driver.program.getState().moved.marks.marked.size).toBe(0);
		driver.press("mark-row");
		driver.send({ type: "keys", keys: ["escape"] });
		expect(driver.program.getState().moved.marks.marked.size).toBe(0);
		driver.send({ type: "keys", keys: ["alt+e"] });
		expect(driver.program.getState().overlays).toEqual([]);
	});
});

test("marked sessions go into another directory: it is completed, must be there, and each is named before", async () => {
	const { driver, home, paths } = await start();
	for (const path of [...paths.api.slice(0, 2), ...paths.thing]) {
		const row = driver.program.getState().catalog.rows.get(path);
		await driver.select(row?.name ?? "");
		driver.press("mark");
	}
	driver.press("move-project");
	driver.type(`${home}/ne`);
	await driver.until("the folders", ({ moved }) => moved.folders?.names?.includes("new") === true);
	driver.press("complete-place");
	await driver.until("the next folders", ({ moved }) => moved.folders?.names?.includes("web") === true);
	driver.type("w");
	driver.press("complete-place", "choose");
	const asked = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
	expect(question(asked)).toMatch(/^Fork 3 sessions into ~\/new\/web\?/);
	driver.press("down", "choose");
	const seen = driver.program.getState();
	expect(seen.overlays.map(({ kind }) => kind)).toEqual(["menu", "help"]);
	const top = seen.overlays.at(-1);
	const shown = top?.kind === "help" ? eachMove(seen, top.moves ?? []) : [];
	expect(shown.filter(([first]) => first?.text.includes("Work")).length).toBe(3);
	driver.press("cancel", "choose");
	await driver.until("the forks", says("Forked 3 sessions into ~/new/web"));
	expect(forksIn(driver, join(home, "new/web")).length).toBe(3);
	driver.press("undo");
	await driver.until("the undo", says("Undone: fork 3 sessions into ~/new/web"));
	expect(forksIn(driver, join(home, "new/web"))).toEqual([]);
});
