import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Comment } from "../../src/catalog/model/marks.ts";
import { withChangers } from "../../src/edits/named-refusals.ts";
import { putChanges } from "../../src/edits/put-change.ts";
import { excerptLines, type PlacedComment, placeComments } from "../../src/edits/review.ts";
import { type ChangeSpan, sessionChanges } from "../../src/edits/session-changes.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { COMMENT } from "../support/comments.ts";
import { EditingSession } from "../support/editing-session.ts";
import { NOW } from "../support/rows.ts";
import { tempDir } from "../support/temp-dir.ts";

const TEXT = "first() {\n  wait(100);\n}\nsecond() {\n  wait(100);\n}\n";
let home: string;
let one: EditingSession;
let entry: string;
beforeEach(() => {
	home = tempDir();
	mkdirSync(join(home, "api"));
	one = new EditingSession("01a10001-0000-7000-8000-000000000001", join(home, "api"), NOW);
	one.prompt("Begin");
	entry = one.write("a.ts", TEXT);
});

/** A comment on lines of the file as the first step left it. */
async function placed(comment: Partial<Comment> = {}): Promise<PlacedComment | undefined> {
	one.putDisk();
	const session = await readSession(one.save(join(home, "agent")));
	const lines = TEXT.trimEnd().split("\n");
	const whole = { ...COMMENT, entry, path: join(one.cwd, "a.ts"), line: 2, lines, index: 1, ...comment };
	return (await placeComments([whole], session, { home, rows: [], isRemote: false })).get(whole.key);
}

test("a line is carried through later edits; what was changed in place is shown as it was and as it is", async () => {
	one.prompt("More");
	one.edit("a.ts", [{ oldText: "first() {\n", newText: "// New\nfirst() {\n" }]);
	expect(await placed()).toMatchObject({ line: 3, count: 1, change: "was line 2" });
	one.prompt("Make it configurable");
	one.edit("a.ts", [{ oldText: "first() {\n  wait(100)", newText: "first() {\n  wait(settings.wait ?? 100)" }]);
	const place = await placed();
	expect(place).toMatchObject({ line: 3, change: "was line 2; changed since by the edit in turn 3" });
	expect(place && excerptLines(place)).toEqual([
		"  1  // New",
		"  2  first() {",
		"-      wait(100);",
		"> 3    wait(settings.wait ?? 100);",
		"  4  }",
		"  5  second() {",
	]);
});

test("a line that was removed is gone, and it is said in which turn, though one like it is still there", async () => {
	one.prompt("Once is enough");
	one.edit("a.ts", [{ oldText: "first() {\n  wait(100);\n", newText: "first() {\n" }]);
	one.prompt("And more");
	one.edit("a.ts", [{ oldText: "second() {\n", newText: "second() {\n  begin();\n" }]);
	expect(await placed()).toMatchObject({ line: undefined, change: "the line is gone since the edit in turn 2" });
	one.prompt("Put it back");
	one.write("a.ts", TEXT);
	expect(await placed()).toMatchObject({ line: 2, change: "" });
});

test.each(["mv a.ts lib/b.ts", "git mv a.ts lib/b.ts"])(
	"a line is found in a file that was moved: %s",
	async (command) => {
		one.prompt("Move it");
		one.bash("mkdir -p lib");
		one.bash(command, (disk) => {
			disk.delete(join(one.cwd, "a.ts"));
			disk.set(join(one.cwd, "lib/b.ts"), TEXT);
		});
		one.edit("lib/b.ts", [{ oldText: "first() {\n", newText: "// New\nfirst() {\n" }]);
		const path = join(one.cwd, "lib/b.ts");
		expect(await placed()).toMatchObject({ path, line: 3, change: "was line 2; was in a.ts" });
		one.prompt("Remove it");
		one.bash("rm lib/b.ts", (disk) => void disk.delete(path));
		expect(await placed()).toMatchObject({
			path,
			line: undefined,
			change: "the file is gone since rm lib/b.ts in turn 3",
		});
	},
);

test("of several lines those that are left are named, with what they were", async () => {
	one.prompt("Once is enough");
	one.edit("a.ts", [{ oldText: "first() {\n  wait(100);\n", newText: "first() {\n" }]);
	const place = await placed({ line: 1, index: 0, count: 3 });
	expect(place).toMatchObject({ line: 1, count: 2, change: "changed since by the edit in turn 2" });
	expect(place && excerptLines(place)).toEqual([
		"-    first() {",
		"-      wait(100);",
		"-    }",
		"> 1  first() {",
		"> 2  }",
		"  3  second() {",
		"  4    wait(100);",
	]);
});

test.each([{}, { line: 1, index: 0, count: 3 }])(
	"lines that are as they were are not changed, however they became so: %o",
	async (lines) => {
		const change = { oldText: "first() {\n  wait(100);\n}", newText: "  wait(200);\n}" };
		one.prompt("Change it");
		one.edit("a.ts", [change]);
		expect((await placed(lines))?.change).toContain("changed since");
		one.prompt("Change it back");
		one.edit("a.ts", [{ oldText: change.newText, newText: change.oldText }]);
		const place = await placed(lines);
		expect(place).toMatchObject({ change: "", count: lines.count ?? 1 });
		expect(place?.excerpt.old).toBeUndefined();
	},
);

test.each([
	[
		"hand or a command",
		() => one.disk.set(join(one.cwd, "a.ts"), TEXT.replace("first() {\n  wait(100)", "first() {\n  wait(300)")),
	],
	[
		"the edit in turn 3",
		() => {
			one.prompt("Again");
			one.edit("a.ts", [{ oldText: "wait(200)", newText: "wait(300)" }]);
		},
	],
])("a hunk that cannot be taken back says who changed its lines since: %s", async (who, change) => {
	one.prompt("Change it");
	const to = one.edit("a.ts", [{ oldText: "first() {\n  wait(100)", newText: "first() {\n  wait(200)" }]);
	change();
	one.putDisk();
	const session = await readSession(one.save(join(home, "agent")));
	const options = { home, rows: [] };
	const read = async (path: string) => ({ text: one.disk.get(path) ?? "", isExecutable: false });
	const why = async (span: ChangeSpan): Promise<string | undefined> => {
		const { files } = await sessionChanges(session, span, options);
		const changes = await putChanges(files, { direction: "revert", read });
		return (await withChangers(changes, session, options))[0]?.why;
	};
	expect(await why({ from: entry, to })).toBe(`its lines were changed since by ${who}`);
	expect(await why({ to })).toBe(`it was new, and changed since by ${who}`);
});

test("what changed the file unseen carries the line, too, and nobody is named", async () => {
	one.disk.set(join(one.cwd, "a.ts"), TEXT.replace("first() {\n  wait(100)", "// By hand\nfirst() {\n  wait(200)"));
	expect(await placed()).toMatchObject({ line: 3, change: "was line 2; changed since" });
});
