import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { FILE_SUMS, FILES, FOUND_FILES, selectedFilesRow } from "../../../../src/app/features/files/files-state.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { isCurrent } from "../../../support/queries.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

/** The text of a pane: 0 has the files, 1 the diff. */
function paneText(state: State, index: 0 | 1): string {
	const pane = selectScreen(state).panes[index];
	return [pane?.title ?? [], ...(pane?.rows ?? []).map(({ line }) => line)].map(textOfRow).join("\n");
}

async function openFiles(): Promise<Driver> {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Refactor the import parser");
	driver.press("next-pane", "files");
	await driver.until("the sum of the edits", (state) => isCurrent(FILE_SUMS, state));
	return driver;
}

test("a file with its lines, edits and turns, and what its edits come to; d shows each edit", async () => {
	const { program, press } = await openFiles();
	expect(paneText(program.getState(), 0)).toMatch(/src\/import\/parser\.ts +\+14 +−6 +2 edits +turn 3/);
	const summed = paneText(program.getState(), 1);
	expect(summed).toContain("all edits together");
	expect(summed).toContain("1 − export function parseRecords(text: string): Record[] {");
	press("summed");
	const each = paneText(program.getState(), 1);
	expect(each.match(/turn 3 · .*· (?:edit|write)/g)).toHaveLength(2);
});

test("enter shows the edits of a file in order, and on one goes to it in the tree; the page closes where it was opened", async () => {
	const { program, press } = await openFiles();
	press("open-file", "down");
	const edit = selectedFilesRow(program.getState())?.edit;
	expect(edit?.turn).toBe(3);
	expect(paneText(program.getState(), 1)).not.toContain("together");
	press("close-file");
	expect(selectedFilesRow(program.getState())?.edit).toBeUndefined();
	press("open-file", "down", "go-to-edit");
	const state = program.getState();
	expect([state.overlays, state.focus, selectedEntry(state)?.id]).toEqual([[], "tree", edit?.entryId]);
	press("files", "cancel");
	expect(program.getState()).toMatchObject({ overlays: [], focus: "tree" });
});

test("the diff scrolls by pages, up to its last row at the bottom, and another row begins at its first", async () => {
	const { program, press, send } = await openFiles();
	send({ type: "resize", columns: 80, rows: 24 });
	const rows = (): readonly string[] => paneText(program.getState(), 1).split("\n").slice(1);
	const first = rows();
	press("diff-down");
	expect(rows()).not.toEqual(first);
	press("diff-down", "diff-down", "diff-down");
	const last = rows();
	expect(last.at(-1)?.trim()).not.toBe("");
	press("diff-up", "diff-up", "diff-up", "diff-up");
	expect(rows()).toEqual(first);
	press("diff-down", "open-file");
	expect(FILES.of(program.getState()).scrolled).toBe(0);
});

test("of a session without edits it says so, and what is not seen", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Weekly note");
	driver.press("next-pane", "files");
	const state = await driver.until("the files", (now) => isCurrent(FOUND_FILES, now));
	expect(paneText(state, 0)).toContain("changed no file");
});

test("a click on the files in the header opens them", async () => {
	const driver = await startProgram(undefined, { collection: collection() });
	await driver.select("Refactor the import parser");
	driver.press("next-pane");
	const { header } = selectScreen(driver.program.getState());
	const click = (words: string): void => {
		const x = textOfRow(header).indexOf(words);
		expect(x).toBeGreaterThan(0);
		driver.send({ type: "mouse", event: { kind: "press", x, y: 0 } });
	};
	click("1 file");
	expect(driver.program.getState().overlays).toMatchObject([{ kind: "files" }]);
});
