import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { MAINTENANCE, MOVED } from "../../../../src/app/features/maintenance/maintenance-state.ts";
import { familiesToCompare, isLooking, selectTidying } from "../../../../src/app/features/maintenance/tidy-groups.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import { type MenuOverlay, pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { forkSession } from "../../../../src/store/actions/session-actions.ts";
import { withCommands } from "../../../support/command.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { conversation, header, lines, user } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

/** The rows of the page as text. */
const page = (state: State): string[] =>
	(selectScreen(state).panes[0]?.rows ?? []).map(({ line }) =>
		line
			.map(({ text }) => text)
			.join("")
			.trimEnd(),
	);

const title = (state: State): string => (selectScreen(state).panes[0]?.title ?? []).map(({ text }) => text).join("");

const isFound = (state: State): boolean =>
	pageOf(state) === "maintenance" && !isLooking(state) && familiesToCompare(state).length === 0;

const proposed = (state: State): Record<string, number> =>
	Object.fromEntries(selectTidying(state).groups.map(({ kind, sessions }) => [kind, sessions.length]));

/** The demo with a fork that its parent contains, an empty session, one without an answer, and an old one. */
async function untidy() {
	const demo = await createDemo(NOW);
	onTestFinished(() => demo.remove());
	const dir = join(demo.agentDir, "sessions", "--more--");
	mkdirSync(dir, { recursive: true });
	const write = (name: string, ...all: readonly string[]): string => {
		const path = join(dir, `${name}.jsonl`);
		writeFileSync(path, lines(...all));
		return path;
	};
	const fields = { cwd: demo.cwd, timestamp: new Date(NOW - 3_600_000).toISOString() };
	const messages = [
		{ role: "user", text: "Long ago" },
		{ role: "assistant", text: "Yes." },
	] as const;
	const talk = conversation({ number: "0001", cwd: demo.cwd, endMs: NOW - 5_400_000, messages });
	const original = write("original", ...talk.lines);
	const old = conversation({ number: "0002", cwd: demo.cwd, endMs: NOW - 300 * 86_400_000, messages });
	return {
		demo,
		original,
		fork: forkSession(original, demo.cwd, dir),
		empty: write("empty", header({ id: "empty", ...fields })),
		tiny: write("tiny", header({ id: "tiny", ...fields }), user("a", null, 1, "Nobody answered")),
		old: write("old", ...old.lines),
	};
}

async function open(driver: Driver): Promise<State> {
	driver.press("maintenance");
	return driver.until("all to be found", isFound);
}

const here = (driver: Driver): string => page(driver.program.getState()).find((row) => row.startsWith("›")) ?? "";

/** Puts the cursor on the heading of a group. */
function goTo(driver: Driver, group: string): void {
	driver.press("first");
	for (let moves = 0; moves < 100 && !here(driver).includes(group); moves++) driver.press("next-group");
	expect(here(driver)).toContain(group);
}

/** Marks everything proposed, by the headings. */
function markProposed(driver: Driver): void {
	for (const group of ["Duplicate", "Empty", "Older"]) {
		goTo(driver, group);
		driver.press("mark");
	}
}

function question(driver: Driver): MenuOverlay {
	const top = driver.program.getState().overlays.at(-1);
	if (top?.kind !== "menu") throw new Error("nothing is asked");
	return top;
}

const bodyOf = ({ body }: MenuOverlay): string => body.map((line) => line.map(({ text }) => text).join("")).join("\n");

describe.skipIf(process.platform !== "linux")("on a real disk", () => {
	test("marked sessions are deleted as one step, without those that have changed meanwhile; the cursor stays, and undo restores all", async () => {
		const files = await untidy();
		const driver = await startProgram(undefined, files);
		const before = readFileSync(files.fork);
		let state = await open(driver);
		expect(proposed(state)).toMatchObject({ duplicate: 1, empty: 1, tiny: 1, old: 1 });
		expect(title(state)).toMatch(/^4 sessions, [\d.]+ KB could go$/);
		// Everything is folded at first.
		expect(page(state).join("\n")).not.toContain("Long ago");
		goTo(driver, "Duplicate");
		driver.press("fold");
		expect(page(driver.program.getState()).join("\n")).toMatch(/Long ago +in its parent/);
		expect(MAINTENANCE.of(state).marks.marked.size).toBe(0);

		markProposed(driver);
		goTo(driver, "Empty");
		driver.press("delete-sessions");
		expect(question(driver).title).toBe("Move 4 sessions to the trash?");
		expect(bodyOf(question(driver))).not.toContain("not in sight");
		appendFileSync(files.tiny, lines(user("b", "a", 2, "Still here")));
		driver.press("choose");
		state = await driver.until("the deletions", ({ changing, message }) => changing === 0 && message !== undefined);
		expect(state.message?.text).toMatch(/^Moved 3 sessions to the trash; 1 failed: “Nobody answered”/);
		expect([files.fork, files.empty, files.old].map(existsSync)).toEqual([false, false, false]);
		expect(readFileSync(files.tiny, "utf8")).toContain("Still here");
		state = await driver.until(
			"them to leave the page",
			(now) => isFound(now) && MAINTENANCE.of(now).marks.marked.size === 0,
		);
		expect(proposed(state)).toEqual({});
		driver.press("undo");
		await driver.until("the restored sessions", ({ catalog }) =>
			[files.fork, files.empty, files.old].every((path) => catalog.rows.has(path)),
		);
		expect(readFileSync(files.fork).equals(before)).toBe(true);
		// The labels of restored sessions are counted again.
		await driver.until("them on the page", (now) => isFound(now) && proposed(now).old === 1);
		expect(proposed(driver.program.getState())).toEqual({ duplicate: 1, empty: 1, old: 1 });
	});

	test("the question warns when it includes the original of a duplicate, and when a session is no longer proposed", async () => {
		const files = await untidy();
		const copy = join(dirname(files.old), "copy.jsonl");
		copyFileSync(files.old, copy);
		const driver = await startProgram(undefined, files);
		const state = await open(driver);
		expect(proposed(state)).toMatchObject({ duplicate: 2, old: 1 });
		markProposed(driver);
		driver.press("delete-sessions");
		expect(bodyOf(question(driver))).toContain("1 duplicate goes with the session that has all of it.");
		rmSync(files.original);
		await driver.until("the question to change", () => bodyOf(question(driver)).includes("This has changed"));
		expect(bodyOf(question(driver))).toContain("1 of them would no longer be listed.");
		expect(question(driver).items[question(driver).index]?.label).toBe("Cancel");
		driver.press("cancel");
		expect(existsSync(files.fork)).toBe(true);
		expect(MAINTENANCE.of(driver.program.getState()).marks.marked.has(files.fork)).toBe(false);
	});

	test("a session opens in its tree, whatever the list shows, and the page keeps its state", async () => {
		const files = await untidy();
		const driver = await startProgram(undefined, files);
		driver.type("weekly");
		await driver.idle();
		await open(driver);
		goTo(driver, "Duplicate");
		driver.press("mark");
		goTo(driver, "Empty");
		driver.press("unfold", "down", "open-session");
		let state = await driver.until(
			"its tree",
			({ detail, focus }) => focus === "tree" && detail.status === "ready" && detail.row.path === files.empty,
		);
		expect(state.list.selected).toBe(files.empty);
		driver.press("maintenance");
		state = driver.program.getState();
		expect([...MAINTENANCE.of(state).marks.marked]).toEqual([files.fork]);
		expect(here(driver)).toContain("(no messages)");
		driver.press("fold-here");
		expect(here(driver)).toContain("Empty");
		expect([...MAINTENANCE.of(driver.program.getState()).marks.marked]).toEqual([files.fork]);
	});
});

describe("without a disk", () => {
	const start = initialState(
		{ home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] },
		{ columns: 120, rows: 30 },
		NOW,
	);
	const complete: Action = { type: "catalog", event: { type: "progress", read: 1, total: 1 } };

	function run(state: State, ...actions: readonly Action[]): { state: State; effects: Effect[] } {
		const effects: Effect[] = [];
		for (const action of withCommands(actions)) {
			const [next, more] = update(state, action, NOW);
			state = next;
			effects.push(...more.filter(({ type }) => type === "check-directories" || type === "compare-families"));
		}
		return { state, effects };
	}
	const counted = {
		...{ turns: 2, branches: 1, errors: 0, tokens: 1, cost: 0, labels: 0, model: "m", ending: "" as const, endedMs: 1 },
	};
	const press = (...keys: readonly string[]): Action => ({ type: "keys", keys });
	const looked = (state: State): Action => ({
		type: "directories-checked",
		search: MOVED.of(state).search,
		fates: new Map([["/home/me/project", { kind: "there" }]]),
	});

	test("forks are compared a part at a time, once the directories are known, until escape", () => {
		const rows = Array.from({ length: 120 }, (_, index) => [
			makeRow(`parent ${index}`),
			makeRow(`fork ${index}`, { parentSession: makeRow(`parent ${index}`).path }),
		]).flat();
		const listed = run(start, { type: "catalog", event: { type: "rows", rows } }, complete).state;
		const opened = run(listed, press("<maintenance>"));
		expect(opened.effects).toMatchObject([{ type: "check-directories" }]);
		let { state, effects } = run(opened.state, looked(opened.state));
		const sizes: number[] = [];
		for (let [effect] = effects; effect?.type === "compare-families"; [effect] = effects) {
			sizes.push(effect.families.length);
			const contained = new Map(effect.families.map(({ key }) => [key, []]));
			if (sizes.length === 2) state = run(state, press("escape")).state;
			({ state, effects } = run(state, { type: "families-compared", contained }));
		}
		expect(sizes).toEqual([50, 50]);
		expect(selectScreen(state).panes[0]?.settings?.[0]?.[0]?.text).toContain("stopped: 20 of 120");
		// The next escape closes the page; when it is opened again, only the rest is compared.
		state = run(state, press("escape")).state;
		expect(pageOf(state)).toBeUndefined();
		const again = run(state, press("<maintenance>"));
		const rest = run(again.state, looked(again.state)).effects[0];
		expect(rest?.type === "compare-families" && rest.families.length).toBe(20);
	});

	test("a session that is in use or pinned meanwhile leaves the page with its mark; nothing else does", () => {
		const rows = [
			makeRow("a", { messageCount: 0 }),
			makeRow("b", { messageCount: 0 }),
			makeRow("c", { messageCount: 0 }),
		];
		const [a = "", b = "", c = ""] = rows.map(({ path }) => path);
		let { state } = run(
			start,
			{ type: "catalog", event: { type: "rows", rows } },
			complete,
			press("<maintenance>", " ", "enter", "down"),
		);
		expect([...MAINTENANCE.of(state).marks.marked].sort()).toEqual([a, b, c]);
		const sessions = new Map([[a, [{ kind: "grew" as const, grewMs: NOW }]]]);
		state = run(state, { type: "catalog", event: { type: "live", report: { sessions, pis: [] } } }).state;
		const marks = applyChanges([{ id: "b", on: true }]);
		state = run(state, { type: "marks", read: { marks, problems: [] } }).state;
		expect([...MAINTENANCE.of(state).marks.marked]).toEqual([c]);
		expect(page(state)).toMatchObject([
			expect.stringMatching(/Empty or tiny +1 /),
			expect.stringContaining("first message of c"),
			expect.stringContaining("1 more is in use"),
			expect.stringContaining("1 more is pinned or tagged"),
		]);
	});

	test("a session whose directory is gone is not proposed to go, however old it is: it may belong elsewhere", () => {
		const old = { age: 400 * 1440 };
		const rows = [makeRow("here", old), makeRow("gone", { ...old, cwd: "/home/me/renamed" })];
		let { state } = run(start, { type: "catalog", event: { type: "rows", rows } }, complete, press("<maintenance>"));
		const counts = rows.map(({ path }) => [path, counted] as const);
		const fates = new Map([
			["/home/me/project", { kind: "there" as const }],
			["/home/me/renamed", { kind: "gone" as const }],
		]);
		({ state } = run(
			state,
			{ type: "catalog", event: { type: "counts", counts } },
			{ type: "directories-checked", search: MOVED.of(state).search, fates },
		));
		expect(proposed(state)).toEqual({ old: 1 });
		expect(title(state)).toMatch(/^1 session, /);
		expect(page(state)[0]).toMatch(/Directory gone +1 +in 1 directory/);
	});

	test("a key cycles through the numbers of days after which a session is old", () => {
		const rows = [40, 100, 200, 400, 800].map((days) => makeRow(`${days}`, { age: days * 1440 }));
		const counts = rows.map(({ path }) => [path, counted] as const);
		let { state } = run(
			start,
			{ type: "catalog", event: { type: "rows", rows } },
			{ type: "catalog", event: { type: "counts", counts } },
			complete,
			press("<maintenance>"),
		);
		const seen = [];
		for (let round = 0; round < 6; round++) {
			seen.push(proposed(state).old ?? 0);
			({ state } = run(state, press("n")));
		}
		expect(seen).toEqual([3, 2, 1, 5, 4, 3]);
		expect(page(state).join("\n")).toContain("Older than 365 days");
	});
});
