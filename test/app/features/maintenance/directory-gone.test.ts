import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { goneGroups } from "../../../../src/app/features/maintenance/gone-groups.ts";
import { directoryKey, selectedMaintenanceRow } from "../../../../src/app/features/maintenance/maintenance-rows.ts";
import { MAINTENANCE } from "../../../../src/app/features/maintenance/maintenance-state.ts";
import { FATES, fatesIn, goneDirectories } from "../../../../src/app/world/list/gone-directories.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { FOLDERS, OFFERED } from "../../../../src/app/world/questions/destination-prompt.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { SessionManager } from "../../../../src/store/manager/session-manager.ts";
import { defaultSessionDir } from "../../../../src/store/read/session-dir.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { DATA_HOME } from "../../../support/data-home.ts";
import { NOW } from "../../../support/rows.ts";
import { questionText } from "../../../support/screen-text.ts";
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

const goneIn = (state: State) => goneGroups(state.catalog.here, fatesIn(state));

/** Opens the view and waits until all directories have been checked. */
async function open(driver: Driver): Promise<State> {
	driver.press("moved");
	return driver.until("the directories", (state) => {
		const { isLoading, isStale } = FATES.of(state);
		return !isLoading && !isStale && goneIn(state).some(({ key }) => key.startsWith(driver.demo.home));
	});
}

/** Types a directory for the sessions of the directory under the cursor, or the marked ones, and waits for the question. */
async function fix(driver: Driver, directory: string): Promise<State> {
	driver.press("fix");
	driver.type(directory);
	driver.press("choose");
	return driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
}

/** Puts the cursor on a directory. */
function goTo(driver: Driver, directory: string): void {
	driver.press("first");
	const key = (): string | undefined => selectedMaintenanceRow(driver.program.getState())?.key;
	for (let moves = 0; moves < 1000 && key() !== directoryKey(directory); moves++) driver.press("down");
	expect(key()).toBe(directoryKey(directory));
}

/** Paths of the listed sessions, without archived ones. */
const listed = ({ catalog }: State): string[] =>
	[...catalog.rows.values()].flatMap((row) => (row.archived === true ? [] : [row.path])).sort();

const forksIn = (driver: Driver, cwd: string): string[] => {
	const directory = defaultSessionDir(cwd, driver.demo.agentDir);
	return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
};

describe("sessions whose directory is gone", () => {
	test("enter asks where they belong, forks all there and archives the originals as one step: nothing is listed twice; one undo reverts it", async () => {
		const { driver, home, paths } = await start();
		const before = paths.api.map((path) => readFileSync(path, "utf8"));
		const listedBefore = listed(driver.program.getState());
		await open(driver);
		goTo(driver, join(home, "old/api"));
		driver.press("fix");
		const offers = (state: State) => OFFERED.of(state).value ?? [];
		const offering = await driver.until("what is offered", (state) => offers(state).length > 0);
		expect(offers(offering)[0]).toEqual({ directory: join(home, "new/api"), why: "same name" });
		driver.press("complete", "choose");
		const state = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
		expect(questionText(state)).toMatch(
			/^Fork 4 sessions into ~\/new\/api\?\n[\d.]+ KB, \d+ messages\nThe originals go/,
		);
		expect(questionText(state)).toMatch(/Fork 4 sessions and archive the originals\nCancel$/);
		// A dry run changes nothing.
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
		driver.press("choose");
		await driver.until(
			"the forks",
			says("Forked 4 sessions into ~/new/api and archived the originals · ctrl+_ undoes"),
		);
		const archived = (path: string): string => path.replace("/sessions/", "/session-archive/");
		expect(paths.api.map((path) => readFileSync(archived(path), "utf8"))).toEqual(before);
		const forks = forksIn(driver, join(home, "new/api"));
		const heads = forks.map((path) => JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? ""));
		expect(heads.map(({ parentSession }) => parentSession).sort()).toEqual(paths.api.toSorted());
		expect(heads.every(({ cwd }) => cwd === join(home, "new/api"))).toBe(true);
		expect(forks.map((path) => SessionManager.open(path).getSessionName()).sort()).toEqual(
			paths.api.map((path) => SessionManager.open(archived(path)).getSessionName()).sort(),
		);
		const now = await driver.until("the list", ({ catalog }) => forks.every((path) => catalog.rows.has(path)));
		expect(listed(now)).toEqual([...listedBefore.filter((path) => !paths.api.includes(path)), ...forks].sort());
		// The fixed directory is no longer listed.
		const gone = goneIn(now).filter(({ key }) => key.startsWith(home));
		expect(gone.map(({ key }) => key)).toEqual([join(home, "nowhere/thing"), join(home, "old/web")]);
		driver.press("undo");
		await driver.until("the undo", says("Undone: fork 4 sessions into ~/new/api and archive the originals"));
		expect(forksIn(driver, join(home, "new/api"))).toEqual([]);
		expect(paths.api.map((path) => readFileSync(path, "utf8"))).toEqual(before);
		expect(paths.api.filter((path) => existsSync(archived(path)))).toEqual([]);
	});

	test("an original that cannot be archived stays and gets no fork", async () => {
		const { driver, home, paths } = await start();
		await open(driver);
		const [first = "", second = ""] = paths.web;
		const inTheWay = first.replace("/sessions/", "/session-archive/");
		mkdirSync(dirname(inTheWay), { recursive: true });
		writeFileSync(inTheWay, "something else\n");
		goTo(driver, join(home, "old/web"));
		await fix(driver, "~/new/web");
		driver.press("choose");
		const { message } = await driver.until(
			"the forks",
			says("Forked 1 session into ~/new/web and archived the original; 1 failed: "),
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
		await fix(driver, "~/new/api");
		driver.press("choose");
		await driver.until("the forks", says("Forked 4 sessions into ~/new/api and archived"));
		const [used = ""] = forksIn(driver, join(home, "new/api"));
		SessionManager.open(used).appendMessage({ role: "user", content: "More", timestamp: NOW });
		driver.press("undo");
		// A file that is seen while it is moved may have the last word on the screen.
		await expect.poll(() => forksIn(driver, join(home, "new/api"))).toEqual([used]);
	});

	test("nothing is forked into a directory that has vanished meanwhile", async () => {
		const { driver, home } = await start();
		await open(driver);
		goTo(driver, join(home, "old/api"));
		await fix(driver, "~/new/api");
		rmSync(join(home, "new/api"), { recursive: true });
		driver.press("choose");
		await driver.until("the refusal", says("does not exist"));
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
		await driver.until(
			"the damage, and the other session",
			({ catalog }) => (catalog.rows.get(first)?.diagnostics.length ?? 0) > 0 && catalog.rows.has(other),
		);
		const group = goneIn(await open(driver)).find(({ key }) => key === join(home, "old/web"));
		expect(group?.archived).toBe(1);
		goTo(driver, join(home, "old/web"));
		expect(questionText(await fix(driver, "~/new/web"))).toMatch(
			/^Fork 2 sessions into ~\/new\/web\?\n.*\n1 is left out: 1 that pi cannot open\./,
		);
	});

	test("the sessions of a directory that is gone keep its sign in the archive, also once directories are looked for again", async () => {
		const { driver, home, paths } = await start();
		for (const path of paths.web) {
			const archive = join(driver.demo.agentDir, "session-archive", basename(dirname(path)));
			mkdirSync(archive, { recursive: true });
			renameSync(path, join(archive, basename(path)));
		}
		driver.refresh();
		const isMoved = ({ catalog }: State): boolean => paths.web.every((path) => !catalog.rows.has(path));
		await driver.until("the archive", isMoved);
		await open(driver);
		expect(goneDirectories(driver.program.getState())).toContain(join(home, "old/web"));
		driver.press("cancel");
		driver.type("is:archived is:gone old/web");
		await driver.until("the archived ones", (state) => selectList(state).rows.length === 2);
	});

	test("a session whose directory is gone is resumed in another directory, or all of its directory move there", async () => {
		const { driver, home, paths } = await start();
		const path = paths.web[0] ?? "";
		const request = { path, cwd: join(home, "old/web") };
		driver.send({ type: "directory-missing", request });
		expect(questionText(driver.program.getState())).toMatch(
			/^The session's directory does not exist\n~\/old\/web\nResume in another directory…\nMove the directory's 2 sessions to another one…\nResume in .*\nFork into .* and resume the fork\nCancel$/,
		);
		driver.press("choose");
		driver.type("~/nowhere");
		driver.press("choose");
		await driver.until("the refusal", says("There is no directory ~/nowhere"));
		driver.press("erase-all");
		const seen: unknown[] = [];
		driver.type("~/new/web");
		driver.press("choose");
		await driver.until("the prompt to close", ({ overlays, message }) => {
			if (overlays.length === 0) seen.push(message?.text);
			return overlays.length === 0;
		});
		// There is no pi on this path: it is the resume that says so.
		await driver.until("the resume", says("Cannot resume: there is no program"));
		driver.send({ type: "directory-missing", request });
		driver.press("down", "choose");
		driver.type("~/new/web");
		driver.press("choose");
		const asked = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
		expect(questionText(asked)).toMatch(/^Fork 2 sessions into ~\/new\/web\?/);
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
		expect(questionText(await fix(driver, "~/new/api"))).toMatch(/^Fork this session into ~\/new\/api\?/);
		driver.press("cancel");
		driver.send({ type: "keys", keys: ["escape"] });
		expect(marked()).toBe(0);
		driver.send({ type: "keys", keys: ["escape"] });
		expect(driver.program.getState().overlays).toEqual([]);
	});
});

test("marked sessions are forked into another directory: it is completed, and must exist", async () => {
	const { driver, home, paths } = await start();
	for (const path of [...paths.api.slice(0, 2), ...paths.thing]) {
		const row = driver.program.getState().catalog.rows.get(path);
		await driver.select(row?.name ?? "");
		driver.press("mark");
	}
	driver.press("move-project");
	driver.type(`${home}/ne`);
	await driver.until("the folders", (state) => FOLDERS.of(state).value?.includes("new") === true);
	driver.press("complete");
	await driver.until("the next folders", (state) => FOLDERS.of(state).value?.includes("web") === true);
	driver.type("w");
	driver.press("complete", "choose");
	const asked = await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
	expect(questionText(asked)).toMatch(/^Fork 3 sessions into ~\/new\/web\?/);
	driver.press("choose");
	await driver.until("the forks", says("Forked 3 sessions into ~/new/web"));
	expect(forksIn(driver, join(home, "new/web")).length).toBe(3);
	driver.press("undo");
	await driver.until("the undo", says("Undone: fork 3 sessions into ~/new/web"));
	expect(forksIn(driver, join(home, "new/web"))).toEqual([]);
});
