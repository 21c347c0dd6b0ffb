import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMPARED, COMPARISON, selectTurnRows } from "../../../../src/app/features/branches/compare-state.ts";
import { DIFFERENCE, DIFFERENCE_PAGE } from "../../../../src/app/features/branches/difference-page.ts";
import { searchOf } from "../../../../src/app/world/list/list-search.ts";
import { RENDERERS } from "../../../../src/app/world/opened/select-reader.ts";
import { piAnswer } from "../../../../src/app/world/opened/summed-session.ts";
import { pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { Demo } from "../../../../src/cli/browser/demo.ts";
import { defaultSessionDir } from "../../../../src/store/read/session-dir.ts";
import { branchingSession } from "../../../support/branching-session.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { GOLDEN_SIZES, styledShownScreen } from "../../../support/shown-screen.tsx";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const TITLE = "Try the base approach";

const pathIn = ({ cwd, agentDir }: Demo): string =>
	join(defaultSessionDir(cwd, agentDir), "2026-01-01T00-00-00-000Z_0198-aa.jsonl");

const collection = collectionOfFile((demo) => {
	const path = pathIn(demo);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, branchingSession());
});

/** The program with a session of nested forks, with the focus on its branches. */
async function startInBranches(): Promise<Driver> {
	const driver = await startProgram(undefined, { collection: collection() });
	const path = pathIn(driver.demo);
	driver.type(TITLE);
	await driver.until("the session", (state) => state.list.selected === path && searchOf(state).settled !== undefined);
	driver.press("next-pane");
	await driver.until("its tree", ({ detail }) => detail.status === "ready" && detail.row.path === path);
	await driver.idle();
	driver.press("branches");
	return driver;
}

describe("a screen at each size", () => {
	test.each<[string, ...string[]]>([
		["branches"],
		["branch", "down", "down"],
		["compared", "down", "mark-branch", "down", "down", "down", "mark-branch", "compare"],
	])("%s", async (name, ...keys) => {
		const driver = await startInBranches();
		driver.press(...keys);
		for (const { columns, rows } of GOLDEN_SIZES) {
			driver.send({ type: "resize", columns, rows });
			await driver.until(
				"all that comes later",
				(state) =>
					piAnswer(state).facts !== undefined && !RENDERERS.of(state).isLoading && !COMPARED.of(state).isLoading,
			);
			await expect(await styledShownScreen(driver, columns, rows)).toMatchFileSnapshot(
				join("golden", `${name}-${columns}x${rows}.txt`),
			);
		}
	});
});

describe("keys", () => {
	const selected = ({ branches, detail }: State): string | undefined => {
		const session = detail.status === "ready" ? detail.session : undefined;
		const id = branches.selected ?? session?.tree.leafId ?? "";
		return session?.entries.find((entry) => entry.id === id)?.id;
	};

	test("open the branches, and go back to the previous pane", async () => {
		const driver = await startInBranches();
		const state = () => driver.program.getState();
		expect(state().focus).toBe("branches");
		driver.press("back");
		expect(state().focus).toBe("tree");
		driver.press("next-pane", "branches", "previous-pane");
		expect([state().focus, state().zoom]).toEqual(["reader", false]);
		driver.press("full-page", "branches");
		expect([state().focus, state().zoom]).toEqual(["branches", false]);
		driver.press("zoom", "back");
		expect([state().focus, state().zoom]).toEqual(["branches", false]);
		driver.press("back");
		expect([state().focus, state().zoom]).toEqual(["reader", true]);
	});

	test("typed text filters; escape first clears it, then the marks, then goes back, and the cursor stays on its branch", async () => {
		const driver = await startInBranches();
		const state = () => driver.program.getState();
		driver.press("down", "down", "down");
		const before = selected(state());
		driver.press("mark-branch", "filter-text");
		driver.type("approach works");
		driver.press("filter-done");
		expect([state().focus, state().branches.query.text]).toEqual(["branches", "approach works"]);
		driver.press("order-branches", "down", "down", "choose");
		expect([selected(state()), state().branches.sort]).toEqual([before, "cost"]);
		driver.press("back");
		expect([state().focus, state().branches.query.text]).toEqual(["branches", ""]);
		driver.press("back");
		expect([state().focus, state().branches.marked]).toEqual(["branches", []]);
		driver.press("back");
		expect(state().focus).toBe("tree");
	});

	test("read the branch, continue from its end, and label it", async () => {
		const driver = await startInBranches();
		const state = () => driver.program.getState();
		driver.press("down");
		const end = state().branches.selected;
		driver.press("resume");
		const [menu] = state().overlays;
		// No item for the leaf: it is the end of another branch.
		expect(menu?.kind === "menu" ? menu.items : []).toMatchObject([
			{ label: "Continue from its end: adds one line to the session", effect: { type: "resume-from", entryId: end } },
			{ label: "With the files as they were here, in a new worktree…", effect: { type: "plan-files", entryId: end } },
			{ label: "Branch into a new session, up to here", effect: { type: "branch", entryId: end } },
			{ label: "Cancel" },
		]);
		driver.press("cancel", "branch");
		const [branch] = state().overlays;
		expect(branch).toMatchObject({ index: 2, title: "Continue from here" });
		expect(branch?.kind === "menu" ? branch.items[2]?.effect : undefined).toMatchObject({
			type: "branch",
			entryId: end,
		});
		driver.press("cancel", "label");
		driver.type("chosen");
		driver.press("choose");
		await driver.idle();
		await driver.until(
			"the label",
			({ detail }) => detail.status === "ready" && detail.session.tree.labels.get(end ?? "")?.text === "chosen",
		);
		expect(state().branches.selected).toBe(end);
		driver.press("read-branch");
		const { detail, tree, focus } = state();
		const entry = detail.status === "ready" ? detail.session.tree.byId.get(tree.selected ?? "") : undefined;
		expect(focus).toBe("reader");
		expect(JSON.stringify(entry)).toContain("Try the docs approach");
	});

	test("marks are taken back, and two at most; a comparison has to be asked for", async () => {
		const driver = await startInBranches();
		const { marked, selected } = driver.program.getState().branches;
		expect([marked, selected]).toEqual([[], undefined]);
		const state = () => driver.program.getState();
		driver.press("compare");
		expect([state().overlays, state().message?.tone]).toEqual([[], "warning"]);
		driver.press("down", "mark-branch");
		const first = state().branches.selected;
		driver.press("mark-branch", "mark-branch", "down", "mark-branch");
		const second = state().branches.selected;
		expect([state().branches.marked, state().overlays]).toEqual([[first, second], []]);
		driver.press("down", "mark-branch");
		expect(state().branches.marked).toEqual([second, state().branches.selected]);
	});

	test("a turn of a comparison opens in its session, and back leads to it again; 1 and 2 go on from an end", async () => {
		const driver = await startInBranches();
		const state = () => driver.program.getState();
		driver.press("down", "compare");
		const ends = COMPARISON.of(state()).ends;
		expect(ends?.map(({ entryId }) => entryId)).toEqual([undefined, state().branches.selected]);
		await driver.until("the comparison", () => selectTurnRows(state()).length === 6);
		driver.press("other-side", "down", "down");
		const turn = selectTurnRows(state())[2]?.turns[1];
		driver.press("open-turn");
		await driver.until("the turn", ({ focus, tree }) => focus === "tree" && tree.selected === turn?.first.id);
		expect(JSON.stringify(turn?.first)).toContain("Try the router approach");
		driver.press("previous-pane");
		await driver.until("the comparison again", () => pageOf(state()) === "comparison");
		expect(COMPARISON.of(state())).toMatchObject({ side: 1, cursor: { selected: "2" } });
		driver.press("difference");
		await driver.until("the files", () => DIFFERENCE_PAGE.current(state()) !== undefined);
		driver.press("next-file", "go-to-edit");
		const { cursor } = DIFFERENCE.of(state());
		await driver.until("the edit", ({ focus, overlays }) => focus === "tree" && overlays.length === 0);
		await driver.idle();
		driver.press("previous-pane");
		expect([pageOf(state()), DIFFERENCE.of(state()).cursor]).toEqual(["difference", cursor]);
		driver.press("cancel");
		expect(pageOf(state())).toBe("comparison");
		driver.press("other-side");
		driver.program.dispatch({ type: "keys", keys: ["enter"] });
		expect(state().message?.text).toBe("It has no turn here");
		driver.press("go-on-from-second");
		await driver.until("the question", ({ overlays }) => overlays.at(-1)?.kind === "menu");
		const [menu] = state().overlays;
		expect(menu?.kind === "menu" ? menu.items[0] : menu).toMatchObject({ effect: { entryId: ends?.[1].entryId } });
		driver.press("cancel", "previous-pane", "cancel");
		expect([state().focus, pageOf(state())]).toEqual(["branches", undefined]);
	});

	test("two marked sessions are compared, then their files, and each step back leads to the page before", async () => {
		const driver = await startProgram(undefined, { collection: collection() });
		const state = () => driver.program.getState();
		driver.press("mark", "compare");
		expect(state().message?.text).toBe("Compare: Mark two sessions to compare them");
		driver.press("mark", "compare");
		await driver.until("both", () => selectTurnRows(state()).length > 0);
		const pages = ["difference", "cancel", "cancel"].map((key) => {
			driver.press(key);
			return pageOf(state());
		});
		expect([pages, state().focus, state().list.marked.size]).toEqual([
			["difference", "comparison", undefined],
			"list",
			2,
		]);
		driver.type("nothing has these words");
		await driver.until("an empty list", ({ list }) => list.selected === undefined);
		driver.press("compare");
		await driver.until("both again", () => selectTurnRows(state()).length > 0);
		driver.press("open-turn");
		await driver.until("the tree", ({ focus, overlays }) => focus === "tree" && overlays.length === 0);
	});
});
