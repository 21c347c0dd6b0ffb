import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { HISTORY } from "../../../../src/app/features/history/history-state.ts";
import { destinationOf, goneGroups } from "../../../../src/app/features/maintenance/gone-groups.ts";
import { directoryKey, selectedRow } from "../../../../src/app/features/maintenance/maintenance-rows.ts";
import { MAINTENANCE, MOVED } from "../../../../src/app/features/maintenance/maintenance-state.ts";
import { eachMove } from "../../../../src/app/features/maintenance/move-menus.ts";
import type { MenuOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { SessionManager } from "../../../../src/store/manager/session-manager.ts";
import { defaultSessionDir } from "../../../../src/store/read/session-dir.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { DATA_HOME } from "../../../support/data-home.ts";
import { NOW } from "../../../support/rows.ts";
import { conversation, lines } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

const says = (text: string) => (state: State) => state.changing === 0 && state.message?.text.includes(text) === true;

let sessions = 0;

/** Writes sessions of a project in the demo's home, whether that exists or not; returns their paths. */
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

/** Starts with three projects that were moved from "old" to "new", and one that does not exist. */
async function start() {
	const driver = await startProgram(undefined, { collection: collection() });
	const home = driver.demo.home;
	for (const name of ["api", "web"]) mkdirSync(join(home, "new", name), { recursive: true });
	const paths = {
		api: write(driver, "old/api", 4),
		web: write(driver, "old/web", 2),
		thing: write(driver, "nowhere/thing", 1),
	};
	driver.refresh();
	const all = Object.values(paths).flat();
	await driver.until("the sessions, whole", ({ catalog }) =>
		all.every((path) => catalog.rows.get(path)?.size === statSync(path).size),
	);
	await driver.idle();
	return { driver, home, paths };
}

/** Opens the view and waits until all directories have been checked. */
async function open(driver: Driver): Promise<State> {
	driver.press("moved");
	return driver.until("the places", (state) => isSearched(state, driver.demo.home));
}

function isSearched(state: State, home: string): boolean {
	const mine = goneGroups(state).filter(({ key }) => key.startsWith(home));
	const { checking, finding, found } = MOVED.of(state);
	return mine.length > 0 && checking.length + finding.length === 0 && mine.every(({ key }) => found.has(key));
}

/** Puts the cursor on a directory. */
function goTo(driver: Driver, directory: string): void {
	driver.press("first");
	const key = (): string | undefined => selectedRow(driver.program.getState())?.key;
	for (let moves = 0; moves < 1000 && key() !== directoryKey(directory); moves++) driver.press("down");
	expect(key()).toBe(directoryKey(directory));
}

function question({ overlays }: State): string {
	const { title, body, items } = overlays.at(-1) as MenuOverlay;
	const text = body.map((line) => line.map((part) => part.text).join(""));
	return [title, ...text, ...items.map(({ label }) => label)].join("\n");
}

/** Paths of the listed sessions, without archived ones. */
const listed = ({ catalog }: State): string[] =>
	[...catalog.rows.values()].flatMap((row) => (row.archived === true ? [] : [row.path])).sort();

const forksIn = (driver: Driver, cwd: string): string[] => {
	const directory = defaultSessionDir(cwd, driver.demo.agentDir);
	return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
};

describe("sessions whose directory is gone", () => {
	test("proposes where they are, forks all there and archives the originals as one step: nothing is listed twice; one undo reverts it", async () => {
		const { driver, home, paths } = await start();
		const originals = [...paths.api, ...paths.web];
		const before = originals.map((path) => readFileSync(path, "utf8"));
		const listedBefore = listed(driver.program.getState());
		const state = await open(driver);
		expect(["old/api", "old/web", "nowhere/thing"].map((way) => destinationOf(state, join(home, way)))).toEqual([
			join(home, "new/api"),
			join(home, "new/web"),
			undefined,
		]);
		goTo(driver, join(home, "old/api"));
		driver.press("mark");
		goTo(driver, join(home, "old/web"));
		driver.press("mark", "fix");
		const asked = question(driver.program.getState());
		expect(asked).toMatch(/^Fork 6 sessions\?\n[\d.]+ KB to copy\n/);
		expect(asked).toContain("~/old/api → ~/new/api  4 sessions");
		expect(asked).toMatch(/Fork 6 sessions and archive the originals\nSee each of them\nCancel$/);
		// A dry run changes nothing.
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
		driver.press("choose");
		await driver.until(
			"the forks",
			says("Forked 6 sessions into 2 directories and archived the originals (undo reverts"),
		);
		const archived = (path: string): string => path.replace("/sessions/", "/session-archive/");
		expect(originals.map((path) => readFileSync(archived(path), "utf8"))).toEqual(before);
		const forks = forksIn(driver, join(home, "new/api"));
		const heads = forks.map((path) => JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? ""));
		expect(heads.map(({ parentSession }) => parentSession).sort()).toEqual(paths.api.toSorted());
		expect(heads.every(({ cwd }) => cwd === join(home, "new/api"))).toBe(true);
		expect(forks.map((path) => SessionManager.open(path).getSessionName()).sort()).toEqual(
			paths.api.map((path) => SessionManager.open(archived(path)).getSessionName()).sort(),
		);
		const all = [...forks, ...forksIn(driver, join(home, "new/web"))];
		const now = await driver.until("the list", ({ catalog }) => all.every((path) => catalog.rows.has(path)));
		expect(listed(now)).toEqual([...listedBefore.filter((path) => !originals.includes(path)), ...all].sort());
		// The fixed directories are no longer listed.
		const gone = ({ key }: { readonly key: string }): boolean => key.startsWith(home);
		expect(
			goneGroups(now)
				.filter(gone)
				.map(({ key }) => key),
		).toEqual([join(home, "nowhere/thing")]);
		driver.press("undo");
		await driver.until("the undo", says("Undone: fork 6 sessions into 2 directories and archive the originals"));
		expect([...forksIn(driver, join(home, "new/api")), ...forksIn(driver, join(home, "new/web"))]).toEqual([]);
		expect(originals.map((path) => readFileSync(path, "utf8"))).toEqual(before);
		expect(originals.filter((path) => existsSync(archived(path)))).toEqual([]);
	});

	test("an undone fix can be redone from the history as a whole", async () => {
		const { driver, home, paths } = await start();
		await open(driver);
		goTo(driver, join(home, "old/web"));
		driver.press("fix", "choose");
		await driver.until("the forks", says("Forked 2 sessions into ~/new/web and archived the originals"));
		driver.press("undo");
		await driver.until("the undo", says("Undone: fork 2 sessions into ~/new/web"));
		driver.press("cancel", "history");
		await driver.until("the history", (state) => HISTORY.of(state).complete && !HISTORY.of(state).reading);
		await driver.until("the list", ({ catalog }) => paths.web.every((path) => catalog.rows.has(path)));
		driver.press("redo-row");
		await driver.until("it again", says("Done again: fork 2 sessions into ~/new/web and archive the originals"));
		expect(forksIn(driver, join(home, "new/web"))).toHaveLength(2);
		expect(paths.web.filter(existsSync)).toEqual([]);
	});

	test("an original that cannot be archived stays and gets no fork", async () => {
		const { driver, home, paths } = await start();
		await open(driver);
		const [first = "", second = ""] = paths.web;
		const inTheWay = first.replace("/sessions/", "/session-archive/");
		mkdirSync(dirname(inTheWay), { recursive: true });
		writeFileSync(inTheWay, "something else\n");
		goTo(driver, join(home, "old/web"));
		driver.press("fix", "choose");
		const { message } = await driver.until(
			"the forks",
			says("Forked 1 session into ~/new/web and archived the originals; 1 failed: "),
		);
		expect(message?.text).toContain("another file already exists");
		expect([first, second].map((path) => existsSync(path))).toEqual([true, false]);
		expect(forksIn(driver, join(home, "new/web"))).toHaveLength(1);
		expect(readFileSync(inTheWay, "utf8")).toBe("something else\n");
		driver.press("undo");
		await driver.until("the undo", says("Undone: fork 1 of 2 sessions into ~/new/web and archive the originals"));
		expect([first, second].map((path) => existsSync(path))).toEqual([true, true]);
		expect(forksIn(driver, join(home, "new/web"))).toEqual([]);
	});

	test("the undo keeps forks that have been continued since, and removes the others", async () => {
		const { driver, home } = await start();
		await open(driver);
		goTo(driver, join(home, "old/api"));
		driver.press("fix", "choose");
		await driver.until("the forks", says("Forked 4 sessions into ~/new/api and archived"));
		const [used = ""] = forksIn(driver, join(home, "new/api"));
		SessionManager.open(used).appendMessage({ role: "user", content: "More", timestamp: NOW });
		driver.press("undo");
		const { overlays } = await driver.until("the question", (state) => state.overlays.at(-1)?.kind === "menu");
		expect(overlays.length).toBe(2);
		driver.press("choose");
		await driver.until("the undo", says("undo would lose it"));
		expect(forksIn(driver, join(home, "new/api"))).toEqual([used]);
	});

	test("a fork that fails does not stop the others, is named, and is not part of the undo", async () => {
		const { driver, home, paths } = await start();
		// A file blocks the directory of sessions.
		writeFileSync(defaultSessionDir(join(home, "new/web"), driver.demo.agentDir), "");
		await open(driver);
		goTo(driver, join(home, "old/api"));
		driver.press("mark");
		goTo(driver, join(home, "old/web"));
		driver.press("mark", "fix");
		// Deleted between the question and the answer.
		const [first = ""] = paths.api;
		const content = readFileSync(first, "utf8");
		rmSync(first);
		driver.press("choose");
		const { message } = await driver.until(
			"the forks",
			says("Forked 3 sessions into 2 directories and archived the originals; 3 failed: "),
		);
		expect(message?.tone).toBe("warning");
		expect(forksIn(driver, join(home, "new/api")).length).toBe(3);
		writeFileSync(first, content);
		driver.press("undo");
		await driver.until("the undo", says("Undone: fork 3 of 6 sessions into 2 directories and archive the originals"));
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
	});

	test("nothing is forked into a directory that has vanished meanwhile", async () => {
		const { driver, home } = await start();
		await open(driver);
		goTo(driver, join(home, "old/api"));
		driver.press("fix");
		rmSync(join(home, "new/api"), { recursive: true });
		driver.press("choose");
		await driver.until("the refusal", says("no longer exists"));
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
	});

	test("damaged and archived sessions are left out, and named", async () => {
		const { driver, home, paths } = await start();
		const [first = ""] = paths.web;
		writeFileSync(first, `${JSON.stringify({ type: "session", version: 3, cwd: join(home, "old/web") })}\n`);
		const other = write(driver, "old/web", 1)[0] ?? "";
		const archive = join(driver.demo.agentDir, "session-archive", `${dirname(other).split("/").at(-1)}`);
		mkdirSync(archive, { recursive: true });
		writeFileSync(join(archive, "put-away.jsonl"), readFileSync(other));
		driver.refresh();
		await driver.until("the archive", ({ catalog }) => [...catalog.rows.values()].some(({ archived }) => archived));
		await driver.until("the damage", ({ catalog }) => (catalog.rows.get(first)?.diagnostics.length ?? 0) > 0);
		await open(driver);
		const group = goneGroups(driver.program.getState()).find(({ key }) => key === join(home, "old/web"));
		expect(group?.archived).toBe(1);
		goTo(driver, join(home, "nowhere/thing"));
		driver.press("mark");
		goTo(driver, join(home, "old/web"));
		driver.press("mark", "fix");
		expect(question(driver.program.getState())).toContain("1 directory has no place yet, and is left out.");
		expect(question(driver.program.getState())).toMatch(
			/^Fork 2 sessions into ~\/new\/web\?\n.*\n1 is left out: 1 that pi cannot open\./,
		);
	});

	test("another proposal or a typed directory can be chosen", async () => {
		const { driver, home } = await start();
		mkdirSync(join(home, "attic/api"), { recursive: true });
		mkdirSync(join(home, "renamed"));
		await open(driver);
		goTo(driver, join(home, "old/api"));
		const place = () => destinationOf(driver.program.getState(), join(home, "old/api"));
		expect(place()).toBe(join(home, "new/api"));
		driver.press("fix");
		expect(question(driver.program.getState())).toMatch(
			/archive the originals\nInto ~\/work\/api instead\nInto ~\/attic\/api instead\nInto another directory …\nSee each of them\nCancel$/,
		);
		driver.press("down", "down", "choose");
		expect(place()).toBe(join(home, "attic/api"));
		expect(question(driver.program.getState())).toMatch(/^Fork 4 sessions into ~\/attic\/api\?/);
		driver.press("cancel");
		// Without a proposal, enter asks at once.
		goTo(driver, join(home, "nowhere/thing"));
		driver.press("fix", "erase-all");
		driver.type("~/nowhere");
		driver.press("choose");
		await driver.until("the refusal", says("There is no directory ~/nowhere"));
		driver.press("erase-all");
		driver.type("~/ren");
		await driver.until("the folders", (state) => MOVED.of(state).folders?.names?.includes("renamed") === true);
		driver.press("complete-place", "choose");
		const asked = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
		expect(question(asked)).toMatch(/^Fork 1 session into ~\/renamed\?/);
	});

	test("a resume whose directory is gone leads to the candidates for it", async () => {
		const { driver, home, paths } = await start();
		await driver.select(driver.program.getState().catalog.rows.get(paths.web[0] ?? "")?.name ?? "");
		driver.send({ type: "directory-missing", request: { path: paths.web[0] ?? "", cwd: join(home, "old/web") } });
		driver.press("choose");
		const state = await driver.until("the places", (now) => isSearched(now, home));
		expect(selectedRow(state)?.key).toBe(directoryKey(join(home, "old/web")));
		driver.press("fix");
		expect(question(driver.program.getState())).toMatch(/^Fork 2 sessions into ~\/new\/web\?/);
	});

	test("marking a directory marks its sessions; escape unmarks, then closes", async () => {
		const { driver, home } = await start();
		await open(driver);
		goTo(driver, join(home, "old/api"));
		const marked = (): number => MAINTENANCE.of(driver.program.getState()).marks.marked.size;
		driver.press("mark");
		expect(marked()).toBe(4);
		driver.press("mark");
		expect(marked()).toBe(0);
		driver.press("unfold", "down", "mark");
		expect(marked()).toBe(1);
		// Only marked sessions are fixed, not the whole directory.
		goTo(driver, join(home, "old/web"));
		driver.press("fix");
		expect(question(driver.program.getState())).toMatch(/^Fork 1 session into ~\/new\/api\?/);
		driver.press("cancel");
		driver.send({ type: "keys", keys: ["escape"] });
		expect(marked()).toBe(0);
		driver.send({ type: "keys", keys: ["escape"] });
		expect(driver.program.getState().overlays).toEqual([]);
	});
});

test("marked sessions are forked into another directory: it is completed, must exist, and each session is named first", async () => {
	const { driver, home, paths } = await start();
	for (const path of [...paths.api.slice(0, 2), ...paths.thing]) {
		const row = driver.program.getState().catalog.rows.get(path);
		await driver.select(row?.name ?? "");
		driver.press("mark");
	}
	driver.press("move-project");
	driver.type(`${home}/ne`);
	await driver.until("the folders", (state) => MOVED.of(state).folders?.names?.includes("new") === true);
	driver.press("complete-place");
	await driver.until("the next folders", (state) => MOVED.of(state).folders?.names?.includes("web") === true);
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
