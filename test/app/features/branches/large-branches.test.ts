import { appendFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { selectBranches, selectedBranch } from "../../../../src/app/world/opened/select-branches.ts";
import { inShort } from "../../../support/cases.ts";
import { assistant, header, label, lines, user } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const id = (index: number) => index.toString(16).padStart(8, "0");

/** Prompts of which every tenth starts over at the first, so that there are branches of nine prompts. */
function prompt(index: number): string {
	const parent = index === 0 ? null : id(index % 10 === 0 ? 0 : index - 1);
	return user(id(index), parent, index, `Ask for number${index}`);
}

const prompts = (count: number) => lines(header(), ...Array.from({ length: count }, (_, index) => prompt(index)));

/** The program on the branches of a session with this number of prompts. */
async function startWith(count: number): Promise<{ readonly driver: Driver; readonly path: string }> {
	const driver = await startProgram();
	await driver.select("Weekly note");
	const path = driver.program.getState().detail.session?.path ?? "";
	writeFileSync(path, prompts(count));
	await driver.until("all of it", ({ detail }) => detail.session?.entries.length === count);
	driver.press("next-pane");
	await driver.idle();
	driver.press("branches");
	return { driver, path };
}

test.each(inShort([100, 5000], (count) => count === 5000))(
	"the branches of a session of %i entries grow with it, the cursor on its branch",
	async (count) => {
		const { driver, path } = await startWith(count);
		const state = () => driver.program.getState();
		const branches = () => selectBranches(state());
		await driver.until("the branches", () => branches() !== undefined);
		expect([branches()?.forks, branches()?.ends]).toEqual([1, count / 10]);
		driver.press("down", "down");
		const chosen = selectedBranch(state())?.id;
		expect(chosen).not.toBe(id(count - 1));

		appendFileSync(path, lines(user(id(count + 1), id(count - 1), count, "Ask for more")));
		await driver.until("the longer branch", () => branches()?.indexes.has(id(count + 1)) ?? false);
		expect(selectedBranch(state())?.id).toBe(chosen);
		expect([branches()?.ends, branches()?.entries]).toEqual([count / 10, count + 1]);

		appendFileSync(path, lines(user(id(count + 2), id(3), count + 1, "Ask again from there")));
		await driver.until("one more end", () => branches()?.ends === count / 10 + 1);
		expect(selectedBranch(state())?.id).toBe(chosen);

		appendFileSync(path, lines(label("label", id(count + 2), count + 2, chosen ?? "", "chosen")));
		await driver.until("the label", () => selectedBranch(state())?.label === "chosen");
		driver.press("first");
		expect(selectedBranch(state())).toMatchObject({ kind: "active", id: "label" });
	},
);

test("a branch that grows keeps the cursor", async () => {
	const { driver, path } = await startWith(100);
	const state = () => driver.program.getState();
	driver.press("down", "down");
	const chosen = selectedBranch(state())?.id ?? "";
	appendFileSync(path, lines(assistant("answer00", chosen, 100, "Done."), user("prompt00", "answer00", 101, "Thanks")));
	await driver.until("the new leaf", ({ detail }) => detail.session?.tree.leafId === "prompt00");
	expect(selectedBranch(state())).toMatchObject({ id: "prompt00", kind: "active" });
});

test("a session without forks shows its only end, and says so", async () => {
	const { driver } = await startWith(5);

	const text = selectScreen(driver.program.getState())
		.panes.flatMap(({ rows }) => rows.map(({ line }) => line.map((part) => part.text).join("")))
		.join("\n");
	expect(text).toContain("◉ Ask for number0 → Ask for number4");
	expect(text).toContain("This session has no forks: it is a single path.");
});
