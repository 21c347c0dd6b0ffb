import { expect, test } from "vitest";
import { selectOverlay } from "../../../../src/app/core/screen/overlay.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { blamedNow } from "../../../../src/app/features/blame/blame-state.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { createDemo } from "../../../../src/cli/browser/demo.ts";
import { lineText } from "../../../../src/ui/text/line.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { NOW } from "../../../support/rows.ts";
import { startProgram } from "../../../support/start-program.ts";

const MINUTE = 60_000;

function boxText(state: State): string {
	const overlay = selectOverlay(state);
	const lines = overlay === undefined ? [] : [overlay.title, ...overlay.body, overlay.hint];
	return lines.map((line) => lineText(line).replace(/ {2,}/g, "  ").trimEnd()).join("\n");
}

test("b says who wrote a line of a diff, and goes there; the arrow keys go to the lines around it", async () => {
	const demo = await createDemo(NOW);
	const git = new GitRepository(demo.cwd);
	const disk = new Map<string, string>();
	const first = new EditingSession("01a10001-0000-7000-8000-000000000001", demo.cwd, NOW - 90 * MINUTE, disk);
	first.prompt("Issue the tokens for every user");
	const written = first.write("src/tokens.ts", "export function issueToken() {\n\tconst ttl = 3600;\n}\n");
	first.save(demo.agentDir);
	git.put(disk);
	const commit = git.commit(first.now, "Issue tokens").slice(0, 8);
	const second = new EditingSession("01a10002-0000-7000-8000-000000000002", demo.cwd, NOW - 60 * MINUTE, disk);
	second.prompt("Read it");
	second.read("src/tokens.ts");
	const prompt = second.prompt("Take the limit from the table");
	const edited = second.edit("src/tokens.ts", [{ oldText: "3600", newText: "ACCESS_TTL" }]);
	second.save(demo.agentDir);
	git.put(disk);

	const driver = await startProgram(undefined, { demo });
	await driver.select("Read it");
	driver.press("next-pane", "next-pane");
	await driver.idle();
	driver.press("blame");
	const state = await driver.until("the answer", (now) => blamedNow(now)?.progress === undefined);
	expect(boxText(state)).toMatch(
		/^line 2, which was removed: const ttl = 3600;\nwritten by {2}“Issue the tokens for every user”, turn 1, .* {2}exact\nasked {2}“Issue the tokens for every user”\n/,
	);
	expect(boxText(state)).toContain(`commit  ${commit} Issue tokens\n`);
	driver.press("down");
	expect(boxText(driver.program.getState())).toMatch(
		/^line 2: const ttl = ACCESS_TTL;\nwritten by {2}this session, turn 2, .* {2}exact\nasked {2}“Take the limit from the table”\ncommit {2}not committed\n/,
	);
	// Its own edit is read already: enter goes to what was asked for.
	driver.press("go-to-turn");
	expect(selectedEntry(await driver.idle())?.id).toBe(prompt);
	driver.press("down", "down");
	driver.press("blame");
	await driver.until("the answer again", (now) => blamedNow(now)?.progress === undefined);
	driver.press("go-to-turn");
	await driver.until("the other session", ({ detail }) => detail.status === "ready" && detail.row.id === first.id);
	expect(selectedEntry(await driver.idle())?.id).toBe(written);

	// The page of changes asks the same, as of the end of what it shows.
	driver.press("back");
	await driver.until("the second session", ({ detail }) => detail.status === "ready" && detail.row.id === second.id);
	driver.press("changes");
	await driver.until(
		"the diff",
		(now) => selectScreen(now).panes[0]?.rows.some(({ line }) => lineText(line).includes("ACCESS_TTL")) === true,
	);
	driver.press("last", "up", "blame");
	const page = await driver.until("the answer on the page", (now) => blamedNow(now)?.progress === undefined);
	expect(boxText(page)).toMatch(/^line 2: const ttl = ACCESS_TTL;\nwritten by {2}this session, turn 2, .* {2}exact\n/);
	driver.press("go-to-turn");
	await driver.until("the tree", ({ overlays }) => overlays.length === 0);
	expect(selectedEntry(await driver.idle())?.id).toBe(edited);

	driver.press("changes");
	await driver.until("the page again", ({ overlays }) => overlays.at(-1)?.kind === "changes");
	driver.press("blame", "comment");
	driver.type("Why there?");
	driver.send({ type: "keys", keys: ["enter"] });
	await driver.until("the comment", ({ marks }) => marks.comments.size === 1);
	await driver.until("its text below the line", (now) =>
		/ACCESS_TTL;\s+✎ Why there\?/.test(
			selectScreen(now)
				.panes[0]?.rows.map(({ line }) => lineText(line))
				.join("\n") ?? "",
		),
	);
});
