import { describe, expect, test } from "vitest";
import { update } from "../../../../src/app/core/update.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { MenuOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { startOf } from "../../../support/listed-state.ts";
import { listedRows, makeRow } from "../../../support/rows.ts";
import { assistant, header, message, sessionOf, user } from "../../../support/session-builder.ts";
import { startProgram } from "../../../support/start-program.ts";

const PROMPT = "Rebuild the checkout\nas three steps: address, payment, review";

/** Two prompts on the active path, and a branch that was left. */
const LINES = [
	user("p1", null, 1, PROMPT),
	assistant("a1", "p1", 2, "The address step is done."),
	user("old", "a1", 3, "Use a modal"),
	assistant("left", "old", 4, "The modal is there."),
	user("p2", "a1", 5, "And payment?"),
	assistant("a2", "p2", 6, "Payment is done."),
];

const row = makeRow("a", { age: 1 });

async function inTree(
	selected: string,
	lines: readonly string[] = LINES,
	changes: Partial<State> = {},
): Promise<State> {
	const session = await sessionOf(header(), ...lines);
	const shown = { ...row, path: session.path };
	const state = startOf({ columns: 120, rows: 40 }, { cwd: shown.cwd });
	return {
		...state,
		focus: "tree",
		catalog: { ...state.catalog, complete: true, ...listedRows(shown) },
		list: { ...state.list, selected: shown.path },
		detail: { status: "ready", row: shown, session },
		tree: { ...state.tree, selected },
		...changes,
	};
}

function press(state: State, ...keys: readonly string[]): ReturnType<typeof update> {
	return update(state, { type: "keys", keys } satisfies Action);
}

function menuOf([{ overlays }]: ReturnType<typeof update>): MenuOverlay {
	const top = overlays.at(-1);
	if (top?.kind !== "menu") throw new Error("no menu is open");
	return top;
}

const labels = ({ items }: MenuOverlay): string[] => items.map(({ label }) => label);

describe("go on from here", () => {
	test("quotes the entry on one line, and begins at it; the leaf comes last, and says what it is", async () => {
		const menu = menuOf(press(await inTree("p1"), "enter"));
		expect(menu.title).toBe("Continue from here");
		expect(menu.body[0]?.map(({ text }) => text).join("")).toBe(
			"“Rebuild the checkout as three steps: address, payment, rev…",
		);
		expect(menu.index).toBe(0);
		expect(labels(menu)).toEqual([
			"Rewind to before this prompt, and reword it (its text goes to the clipboard)",
			"Continue after its answer",
			"With the files as they were here, in a new worktree…",
			"Before it, with the later changes of files taken back…",
			"Branch into a new session, up to here",
			"Continue at the end   “Payment is done.”",
			"Cancel",
		]);
		expect(menu.items.map(({ effect }) => effect)).toMatchObject(
			[
				{ type: "resume-from", entryId: "p1" },
				{ type: "resume-from", entryId: "a1" },
				{ type: "plan-files", entryId: "p1" },
				{ type: "plan-rewind", entryId: "p1", next: { type: "resume-from", entryId: "p1" } },
				{ type: "branch", entryId: "p1" },
				{ type: "resume" },
				{},
			].map((effect) => ("type" in effect ? effect : undefined)),
		);
	});

	test("the answer that is the leaf is one item, and an answer that is not there none", async () => {
		expect(labels(menuOf(press(await inTree("p2"), "enter")))).toEqual([
			"Rewind to before this prompt, and reword it (its text goes to the clipboard)",
			"Continue after its answer, at the end",
			"With the files as they were here, in a new worktree…",
			"Before it, with the later changes of files taken back…",
			"Branch into a new session, up to here",
			"Cancel",
		]);
		const failed = message("f", "p3", 8, { role: "bashExecution", command: "ls", output: "", exitCode: 0 });
		const unanswered = await inTree("p3", [...LINES, user("p3", "a2", 7, "More"), failed]);
		expect(labels(menuOf(press(unanswered, "enter")))[3]).toBe("Branch into a new session, up to here");
	});

	test("an answer of a branch that was left goes on there", async () => {
		const menu = menuOf(press(await inTree("old"), "enter"));
		expect(menu.items[1]).toMatchObject({ effect: { type: "resume-from", entryId: "left" } });
		const state = await inTree("left");
		const opened = { ...state, tree: { ...state.tree, opened: new Set(["old"]) } };
		const [first] = menuOf(press(opened, "enter")).items;
		expect(first).toMatchObject({
			label: "Continue from here: adds one line to the session",
			effect: { type: "resume-from", entryId: "left" },
		});
	});

	test("a new session is the same dialog, begun at its branch", async () => {
		const menu = menuOf(press(await inTree("a1"), "alt+n"));
		expect(menu.title).toBe("Continue from here");
		expect(menu.items[menu.index]).toMatchObject({ effect: { type: "branch", entryId: "a1" } });
		expect(labels(menu)).toContain("Copy the whole session, in the same project");
		const leaf = menuOf(press(await inTree("a2"), "alt+n"));
		expect(leaf.items[0]).toMatchObject({ label: "Continue from here, the end", effect: { type: "resume" } });
	});

	test("enter with no row under the cursor does nothing and says why", async () => {
		const state = await inTree("p1");
		const typed = update(press(state, "/")[0], { type: "text", text: "zzzz" })[0];
		const [after, effects] = press(typed, "enter", "enter");
		expect([after.overlays, effects.filter(({ type }) => type === "resume")]).toEqual([[], []]);
		expect(after.message?.text).toContain("No entry matches, so there is nothing to resume from");
	});
});

const WHOLE = [
	"Copy the whole session, in the same project",
	expect.stringMatching(/^Copy the whole .*into ~/),
	"Cancel",
];

test("a branch from the list is of the whole session, up to the hit on request, and forgets the hit with its query", async () => {
	const driver = await startProgram();
	const branch = async (): Promise<string[]> => {
		await driver.idle();
		driver.press("branch");
		const top = driver.program.getState().overlays.at(-1);
		driver.press("cancel");
		return top?.kind === "menu" ? labels(top) : [];
	};
	await driver.idle();
	expect(await branch()).toEqual(WHOLE);
	driver.type("standup");
	await driver.until("the hits", ({ tree }) => tree.hits?.complete === true && tree.selected !== undefined);
	const [upToHit] = (await branch()).slice(-2);
	expect(upToHit).toMatch(/^Only up to the hit “.*”$/);
	driver.press("back");
	await driver.until("no hits", ({ tree }) => tree.hits === undefined);
	expect(driver.program.getState().tree.selected).toBeUndefined();
	expect(await branch()).toEqual(WHOLE);
	driver.press("down", "up");
	await driver.idle();
	expect(driver.program.getState().tree.selected).toBeUndefined();
});
