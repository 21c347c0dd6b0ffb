import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import build from "../support/build.ts";
import { run } from "../support/run.ts";
import type { TestTerminal } from "../support/terminal.ts";
import { diskOf, edit, InClone, lines, read } from "./in-clone.ts";
import { PACKAGE } from "./in-pi.ts";
import { IS_NEWEST, PI_PROGRAM } from "./pi-program.ts";

/** What the real pi changed in a real clone is taken back and put there again, and reviewed, with commits by hand between. */

const PI_MS = 60_000;

beforeAll(build);

let pi: InClone;
beforeEach(async () => {
	pi = new InClone({ "src/cart.js": lines("cart", 12), "src/util.js": lines("util", 40), "README.md": "# Shop\n" });
	await pi.model.start(pi.agentDir);
});
afterEach(() => pi.remove());

/** The id of the first entry of a session that says something. */
async function entryOf(path: string, text: string): Promise<string> {
	const { entries } = await readSession(path);
	return entries.find((entry) => JSON.stringify(entry).includes(text))?.id ?? "";
}

/** Presses the keys that end the browser, and waits until pi reads the keys again. */
async function backToPi(terminal: TestTerminal, ...keys: readonly string[]): Promise<void> {
	const before = terminal.written.length;
	terminal.press(...keys);
	await terminal.waitFor(() => {
		const left = terminal.written.indexOf("\x1b[?1049l", before);
		return left !== -1 && terminal.written.includes("\x1b[?2004h", left);
	}, PI_MS);
}

/** Moves down, row by row, to the one with a text. */
async function goTo(terminal: TestTerminal, text: string): Promise<void> {
	let row = await selectedRow(terminal);
	while (!row.includes(text)) {
		const before = row;
		terminal.press("down");
		await expect.poll(async () => (row = await selectedRow(terminal))).not.toBe(before);
	}
}

async function selectedRow(terminal: TestTerminal): Promise<string> {
	return (await terminal.screen()).find((line) => line.startsWith("›")) ?? "";
}

test.runIf(IS_NEWEST)("a turn, one hunk of three, a left branch, and files with the conversation", async () => {
	const { clone } = pi;
	const grove = (...args: readonly string[]) => run(pi, args, {}, clone);
	const path = await pi.turn(
		"Change the prices",
		undefined,
		read("src/cart.js"),
		edit("src/cart.js", ['cart2 = "cart 2"', 'cart2 = "two"']),
		["write", { path: "src/tax.js", content: "export const tax = 1;\n" }],
	);
	await pi.turn(
		"Three places",
		path,
		read("src/util.js"),
		edit(
			"src/util.js",
			['util3 = "util 3"', 'util3 = "three"'],
			['util20 = "util 20"', 'util20 = "twenty"'],
			['util38 = "util 38"', 'util38 = "last"'],
		),
	);
	const kept = (await readSession(path)).tree.leafId ?? "";
	await pi.turn("A wrong way", path, ["write", { path: "src/way.js", content: "export const way = 1;\n" }]);
	const manager = SessionManager.open(path);
	manager.branch(kept);
	manager.appendCustomEntry("left", {});

	// By hand, in a file that the first turn changed: between it and its being taken back.
	const cart = join(clone, "src/cart.js");
	writeFileSync(cart, `// By hand\n${readFileSync(cart, "utf8")}`);
	pi.commit(clone, "By hand");
	const before = diskOf(clone);

	expect(grove("revert", `${path}#${await entryOf(path, "Change the prices")}`, "--turn", "--yes").code).toBe(0);
	const expected = new Map(before).set("src/cart.js", `// By hand\n${lines("cart", 12)}`);
	expected.delete("src/tax.js");
	expect(diskOf(clone)).toEqual(expected);
	expect(pi.git(clone, "log", "--format=%s", "-1")).toBe("By hand\n");
	expect(grove("undo", "--yes").code).toBe(0);
	expect(diskOf(clone)).toEqual(before);

	expect(grove("revert", path, "--hunk", "src/util.js:20", "--yes").code).toBe(0);
	const util = before.get("src/util.js") ?? "";
	expect(diskOf(clone)).toEqual(new Map(before).set("src/util.js", util.replace('"twenty"', '"util 20"')));
	expect(grove("undo", "--yes").code).toBe(0);

	// The branch that was left was taken from the disk by hand; in the browser it is put there again.
	expect(grove("revert", `${path}#${await entryOf(path, "A wrong way")}`, "--turn", "--yes")).toMatchObject({
		code: 0,
	});
	expect(diskOf(clone).has("src/way.js")).toBe(false);
	const browser = pi.start([path], { columns: 160, rows: 45, cwd: clone });
	await browser.waitFor("Change the prices");
	browser.press("ctrl+k");
	browser.type("Changes of the session");
	await browser.waitFor("❯ Changes of the session");
	browser.press("enter");
	await browser.waitFor("src/util.js");
	browser.press("ctrl+k");
	browser.type("Changes of branches left");
	await browser.waitFor("❯ Changes of branches left");
	browser.press("enter");
	await browser.waitFor("src/way.js");
	// The command waits for all changes.
	for (let screen = ""; !screen.includes("Put here what"); ) {
		browser.press("ctrl+k");
		browser.type("Put these changes here");
		await browser.waitFor("❯ Put these changes here");
		browser.press("enter");
		screen = await browser.waitFor(/Put here what|^ Put these changes here: The changes are still being read/m);
	}
	browser.press("enter");
	await browser.waitFor("Put in place 1 file of");
	expect(diskOf(clone)).toEqual(before);
	browser.press("ctrl+_");
	await browser.waitFor("Undone");
	expect(diskOf(clone).has("src/way.js")).toBe(false);
	browser.press("ctrl+q");
	await browser.exit();
	expect(grove("undo", "--yes").code).toBe(0);
	expect(diskOf(clone)).toEqual(before);
});

test.runIf(IS_NEWEST)("files and conversation together, from /grove, and undone there", async () => {
	const { clone } = pi;
	const path = await pi.turn("One", undefined, read("src/cart.js"), edit("src/cart.js", ['"cart 1"', '"one"']));
	await pi.turn("Second wish", path, edit("src/cart.js", ['"cart 2"', '"two"']), [
		"write",
		{ path: "src/new.js", content: "new\n" },
	]);
	const before = diskOf(clone);
	const terminal = pi.startPi(["-e", PACKAGE, "--session", path], { columns: 160, rows: 45, cwd: clone });
	await terminal.waitFor((screen) => screen.includes("Second wish") && screen.includes("That is all."), PI_MS);
	terminal.type("/grove tree\r");
	await terminal.waitFor("◂ pi continues here", PI_MS);
	terminal.type("{");
	await terminal.waitFor(/›.*Second wish/);
	terminal.press("enter");
	await terminal.waitFor("with the later changes of files taken back");
	terminal.press("down", "down", "down");
	await terminal.waitFor(/› .*with the later changes of files taken back/);
	terminal.press("enter");
	await terminal.waitFor("Take these changes back, and continue");
	await backToPi(terminal, "enter");
	const expected = new Map(before).set("src/cart.js", lines("cart", 12).replace('"cart 1"', '"one"'));
	expected.delete("src/new.js");
	await expect.poll(() => diskOf(clone), { timeout: PI_MS }).toEqual(expected);
	await terminal.waitFor("Summarize branch?", PI_MS);
	terminal.press("enter");
	await terminal.waitFor("Navigated to selected point", PI_MS);
	// The prompt is in the editor; what pi sends begins before it.
	terminal.type(", again\r");
	await expect.poll(() => pi.model.requests.at(-1), { timeout: PI_MS }).toContain("Second wish, again");
	expect(pi.model.requests.at(-1)).not.toContain("src/new.js");
	await terminal.waitFor((screen) => screen.includes("Second wish, again") && screen.includes("That is all."), PI_MS);
	terminal.type("/grove\r");
	await terminal.waitFor("4 sessions", PI_MS);
	terminal.press("ctrl+_");
	await terminal.waitFor("not in this window");
	terminal.press("enter");
	await terminal.waitFor("Undone");
	expect(diskOf(clone)).toEqual(before);
	await backToPi(terminal, "escape");
	terminal.press("ctrl+d");
	expect((await terminal.exit(PI_MS)).code).toBe(0);
});

test.runIf(IS_NEWEST)("a review of four comments in two files goes to the model as one prompt", async () => {
	const { clone } = pi;
	const path = await pi.turn(
		"Write both",
		undefined,
		["write", { path: "src/a.js", content: "const a1 = 1;\nconst a2 = 2;\nconst a3 = 3;\n" }],
		["write", { path: "src/b.js", content: "const b1 = 1;\nconst b2 = 2;\nconst b3 = 3;\n" }],
	);
	pi.installPi(
		`export PI_OFFLINE=1 PI_SKIP_VERSION_CHECK=1\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(PI_PROGRAM)} "$@"`,
	);
	const browser = pi.start([path], { columns: 80, rows: 24, cwd: clone });
	await browser.waitFor("Write both");
	browser.press("ctrl+k");
	browser.type("Changes of the session");
	await browser.waitFor("❯ Changes of the session");
	browser.press("enter");
	await browser.waitFor("const b3 = 3;");
	for (const [line, words] of [
		["a1", "First of all"],
		["a3", "Why three?"],
		["b1", "A better name"],
		["b3", "Not needed"],
	]) {
		await goTo(browser, `const ${line}`);
		browser.type("c");
		await browser.waitFor("Comment on");
		browser.type(words ?? "");
		await browser.waitFor(words ?? "");
		browser.press("enter");
		await browser.waitFor(`✎ ${words}`);
	}
	// One line moves meanwhile.
	writeFileSync(join(clone, "src/b.js"), "const b1 = 1;\nconst b2 = 2;\n\n\nconst b3 = 3;\n");
	browser.type("C");
	await browser.waitFor("was line 3");
	browser.type("x");
	await browser.waitFor("Send 4 comments");
	browser.press("enter");
	await expect.poll(() => pi.model.requests.at(-1), { timeout: PI_MS }).toContain("# Review");
	const prompt = JSON.parse(pi.model.requests.at(-1) ?? "[]").at(-1);
	const text = JSON.stringify(prompt);
	expect(prompt.role).toBe("user");
	for (const part of [
		"`src/a.js`, line 1",
		"`src/a.js`, line 3",
		"`src/b.js`, line 1",
		"`src/b.js`, line 5 (was line 3",
	])
		expect(text).toContain(part);
	for (const words of ["First of all", "Why three?", "A better name", "Not needed"]) expect(text).toContain(words);
	await browser.waitFor("That is all.", PI_MS);
	browser.press("ctrl+d");
	await browser.waitFor("0 to send", PI_MS);
	browser.press("ctrl+q");
	await browser.exit();
});
