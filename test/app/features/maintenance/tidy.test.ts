import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { MAINTENANCE } from "../../../../src/app/features/maintenance/maintenance-state.ts";
import { FATES, isLooking } from "../../../../src/app/world/list/gone-directories.ts";
import { selectTidying } from "../../../../src/app/world/list/tidy-groups.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { type MenuOverlay, pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { withCommands } from "../../../support/command.ts";
import { startOf } from "../../../support/listed-state.ts";
import { answerTo, requestsOf } from "../../../support/queries.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { paneTexts } from "../../../support/screen-text.ts";
import { header, lines, user } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const title = (state: State): string => (selectScreen(state).panes[0]?.title ?? []).map(({ text }) => text).join("");

const isFound = (state: State): boolean => pageOf(state) === "maintenance" && !isLooking(state);

const proposed = (state: State): readonly string[] => selectTidying(state).sessions.map(({ kind }) => kind);

/** The demo with an empty session, and one without an answer. */
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
	return {
		demo,
		empty: write("empty", header({ id: "empty", ...fields })),
		tiny: write("tiny", header({ id: "tiny", ...fields }), user("a", null, 1, "Nobody answered")),
	};
}

async function open(driver: Driver): Promise<State> {
	driver.press("maintenance");
	return driver.until("all to be found", (state) => isFound(state) && proposed(state).length === 2);
}

const here = (driver: Driver): string => paneTexts(driver.program.getState()).find((row) => row.startsWith("›")) ?? "";

/** Puts the cursor on the heading of a group. */
function goTo(driver: Driver, group: string): void {
	driver.press("first");
	for (let moves = 0; moves < 100 && !here(driver).includes(group); moves++) driver.press("next-group");
	expect(here(driver)).toContain(group);
}

function question(driver: Driver): MenuOverlay {
	const top = driver.program.getState().overlays.at(-1);
	if (top?.kind !== "menu") throw new Error("nothing is asked");
	return top;
}

const bodyOf = ({ body }: MenuOverlay): string => body.map((line) => line.map(({ text }) => text).join("")).join("\n");

const changed = ({ changing, message }: State): boolean => changing === 0 && message !== undefined;

describe.skipIf(process.platform !== "linux")("on a real disk", () => {
	test("marked sessions are deleted as one step, without those that have changed meanwhile; undo restores all", async () => {
		const files = await untidy();
		const driver = await startProgram(undefined, files);
		let state = await open(driver);
		expect(proposed(state)).toEqual(["empty", "tiny"]);
		expect(title(state)).toBe("maintenance");
		// What is folded away is found, and unfolded.
		driver.press("filter-text");
		driver.type("nobody ans");
		expect(here(driver)).toContain("Nobody answered");
		expect(title(driver.program.getState())).toMatch(/^maintenance ❯ nobody ans {2}1 of 1$/);
		driver.press("filter-clear", "fold-here");
		// Everything is folded at first.
		expect(paneTexts(state).join("\n")).not.toContain("Nobody answered");
		goTo(driver, "Empty");
		driver.press("fold");
		expect(paneTexts(driver.program.getState()).join("\n")).toMatch(/Nobody answered +no answer/);
		expect(MAINTENANCE.of(state).marks.marked.size).toBe(0);

		driver.press("mark", "delete");
		expect(question(driver).title).toBe("Move 2 sessions to the trash?");
		expect(bodyOf(question(driver))).not.toContain("no longer be listed");
		appendFileSync(files.tiny, lines(user("b", "a", 2, "Still here")));
		driver.press("choose");
		state = await driver.until("the deletions", changed);
		expect(state.message?.text).toMatch(/^Moved 1 session to the trash; 1 failed: “Nobody answered”/);
		expect([files.empty, files.tiny].map(existsSync)).toEqual([false, true]);
		expect(readFileSync(files.tiny, "utf8")).toContain("Still here");
		await driver.until("it to leave the page", (now) => MAINTENANCE.of(now).marks.marked.size === 0);
		driver.press("undo");
		await driver.until("the restored session", ({ catalog }) => catalog.rows.has(files.empty));
		await driver.until("it on the page", (now) => proposed(now).includes("empty"));
	});

	test("a session opens in its tree, whatever the list shows, and the page keeps its state", async () => {
		const files = await untidy();
		const driver = await startProgram(undefined, files);
		driver.type("weekly");
		await driver.idle();
		await open(driver);
		goTo(driver, "Empty");
		driver.press("mark", "unfold", "down");
		const isTree = ({ detail, focus }: State): boolean => focus === "tree" && detail.status === "ready";
		driver.press("open-session");
		let state = await driver.until("its tree", isTree);
		expect([files.empty, files.tiny]).toContain(state.list.selected);
		driver.press("maintenance");
		state = driver.program.getState();
		expect([...MAINTENANCE.of(state).marks.marked].sort()).toEqual([files.empty, files.tiny].sort());
		driver.press("fold-here");
		expect(here(driver)).toContain("Empty");
		expect(MAINTENANCE.of(driver.program.getState()).marks.marked.size).toBe(2);
	});
});

describe("without a disk", () => {
	const start = startOf({ columns: 120, rows: 30 });
	const complete: Action = { type: "catalog", event: { type: "progress", read: 1, total: 1 } };
	const press = (...keys: readonly string[]): Action => ({ type: "keys", keys });

	function run(state: State, ...actions: readonly Action[]): State {
		return withCommands(actions).reduce((now, action) => update(now, action, NOW)[0], state);
	}

	test("directories are checked together once all is listed, and again when a new one is added", () => {
		const rows = ["/a", "/b"].map((cwd) => makeRow(cwd, { cwd }));
		const listed = run(start, { type: "catalog", event: { type: "rows", rows } }, press("<maintenance>"));
		const [checking, effects] = update(listed, complete, NOW);
		expect(requestsOf(FATES, effects)).toMatchObject([{ key: ["/a", "/b"] }]);
		const fates = new Map([["/a", { kind: "there" as const, real: "" }]]).set("/b", { kind: "there", real: "" });
		const [checked, none] = update(checking, answerTo(FATES, checking, fates), NOW);
		expect(requestsOf(FATES, none)).toEqual([]);
		expect(isLooking(checked)).toBe(false);
		const more = [makeRow("/c", { cwd: "/c", age: 1 })];
		const [, again] = update(checked, { type: "catalog", event: { type: "rows", rows: more } }, NOW);
		expect(requestsOf(FATES, again)).toHaveLength(1);
	});

	test("a session that is in use or pinned meanwhile leaves the page with its mark; nothing else does", () => {
		const rows = ["a", "b", "c"].map((name) => makeRow(name, { messageCount: 0 }));
		const [a = "", b = "", c = ""] = rows.map(({ path }) => path);
		let state = run(
			start,
			{ type: "catalog", event: { type: "rows", rows } },
			complete,
			press("<maintenance>", " ", "enter", "down"),
		);
		expect([...MAINTENANCE.of(state).marks.marked].sort()).toEqual([a, b, c]);
		const sessions = new Map([[a, [{ kind: "grew" as const, grewMs: NOW }]]]);
		state = run(state, { type: "catalog", event: { type: "live", report: { sessions, pis: [] } } });
		state = run(state, { type: "marks", read: { marks: applyChanges([{ id: "b", on: true }]), problems: [] } });
		expect([...MAINTENANCE.of(state).marks.marked]).toEqual([c]);
		expect(paneTexts(state)).toMatchObject([
			expect.stringMatching(/Empty or tiny +1 /),
			expect.stringContaining("first message of c"),
			expect.stringContaining("1 more is in use"),
			expect.stringContaining("1 more is pinned or tagged"),
		]);
	});

	test("the question warns of sessions that nothing proposes: those of a missing directory may belong elsewhere", () => {
		const rows = [makeRow("here", { cwd: "/here" }), makeRow("gone", { cwd: "/gone" })];
		const listed = run(start, { type: "catalog", event: { type: "rows", rows } }, complete, press("<maintenance>"));
		const fates = new Map([["/here", { kind: "there" as const, real: "" }]]).set("/gone", { kind: "gone" } as never);
		const state = run(listed, answerTo(FATES, listed, fates));
		expect(FATES.of(state).value?.size).toBe(2);
		expect(proposed(state)).toEqual([]);
		expect(paneTexts(state)[0]).toMatch(/Missing directories +1 +in 1 directory/);
		const asked = run(state, press(" ", "ctrl+d")).overlays.at(-1);
		expect(asked?.kind === "menu" && bodyOf(asked)).toContain("It would no longer be listed.");
	});
});
