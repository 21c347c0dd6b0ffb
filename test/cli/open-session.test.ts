import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
let parser: string;
beforeEach(() => {
	sandbox = new Sandbox();
	({ parser } = threeSessions(sandbox));
});
afterEach(() => sandbox.remove());

/** The id in the name of a session's file. */
const idOf = (path: string): string => basename(path, ".jsonl").replace(/^.*_/, "");

/** What the program says instead of opening a session; it says the same without a terminal. */
function refusal(word: string): string {
	const { code, err } = run(sandbox, [word]);
	expect(code).toBe(2);
	return err.trim();
}

test("a path or an id opens the tree of that session, among all others", async () => {
	const other = join(sandbox.home, "link");
	symlinkSync(join(parser, ".."), other);
	const words = [parser, idOf(parser), join(other, basename(parser))];
	for (const word of words) {
		const terminal = sandbox.start([word]);
		expect(await terminal.waitFor("Stream it instead")).toContain("› Refactor the parser");
		await terminal.waitFor("tree ❯");
		terminal.press("left");
		await terminal.waitFor("3 sessions");
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(0);
	}
});

test("a file anywhere else is opened with those beside it", async () => {
	const elsewhere = join(sandbox.home, "kept here");
	mkdirSync(elsewhere);
	copyFileSync(parser, join(elsewhere, "old.jsonl"));
	const terminal = sandbox.start(["kept here/old.jsonl"]);
	await terminal.waitFor("Stream it instead");
	terminal.press("left");
	await terminal.waitFor(/pi-grove {2}1 session\b/);
});

test(". is the session of the current directory with the newest activity", async () => {
	sandbox.session({ project: ".", age: 90, messages: [{ role: "user", text: "An older one" }] });
	sandbox.session({ project: ".", age: 9, messages: [{ role: "user", text: "The newest here" }] });
	const terminal = sandbox.start(["."]);
	await terminal.waitFor(/❯ The newest here|● The newest here/);
	expect((await terminal.screen()).join("\n")).not.toContain("An older one");
});

test("what is no session is refused, with the reason", async () => {
	writeFileSync(join(sandbox.home, "notes.txt"), "");
	const notSession = /notes\.txt is not a session file: its name does not end in \.jsonl$/;
	const terminal = sandbox.start(["./notes.txt"], { columns: 200 });
	expect((await terminal.exit()).code).toBe(2);
	expect((await terminal.screen()).join("").trim()).toMatch(notSession);
	const reasons = [
		["./notes.txt", notSession],
		["./gone.jsonl", /cannot open .*gone\.jsonl: it does not exist/],
		["./work/api/", /is not a file$/],
		[`${idOf(parser)}#00010002`, /An entry is printed by: pi-grove show session-0001#00010002$/],
	] as const;
	for (const [word, reason] of reasons) expect(refusal(word)).toMatch(reason);
});

test("words that name no session are typed into the filter", async () => {
	const all = [
		["retry", "loop"],
		["--", "retry"],
		["--query", "retry", "loop"],
	];
	for (const words of all) {
		const terminal = sandbox.start(words);
		await terminal.waitFor((screen) =>
			screen.includes(`❯ ${words.filter((word) => !word.startsWith("--")).join(" ")}`),
		);
		await terminal.waitFor(/1(?:\/1| of 3)/);
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(0);
	}
});

test("an id that several sessions have names them", () => {
	const copy = parser.replace(idOf(parser), "copy");
	copyFileSync(parser, copy);
	const said = refusal(idOf(parser));
	expect(said).toContain("2 sessions have the id");
	expect(said).toContain(copy);
	const start = idOf(parser).slice(0, 9);
	expect(refusal(start)).toMatch(new RegExp(`[34] sessions have an id that begins with ${start}`));
});
