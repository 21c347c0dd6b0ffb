import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { NO_MARKS } from "../../../src/catalog/model/marks.ts";
import {
	applyChanges,
	type MarkChange,
	openMarksFile,
	type ReadMarks,
	readMarks,
	withEffect,
} from "../../../src/changes/noted/marks.ts";
import { printNotedLine } from "../../../src/changes/noted/noted-file.ts";
import { childProgram } from "../../support/bundled-programs.ts";
import { caseCount } from "../../support/cases.ts";
import { tempDir } from "../../support/temp-dir.ts";

function marksIn(directory = tempDir()) {
	const path = join(directory, "state", "pi-grove", "marks.jsonl");
	return { path, marks: openMarksFile(path), other: openMarksFile(path) };
}

const pin = (id: string, on = true): MarkChange => ({ id, on });
const tag = (id: string, name: string, on = true): MarkChange => ({ id, tag: name, on });
const shown = ({ marks }: ReadMarks) => ({
	pinned: [...marks.pinned.keys()].sort(),
	tags: Object.fromEntries([...marks.tags].map(([id, files]) => [id, files.get("")])),
});

test("nothing is made on the disk before the first change", () => {
	const { path, marks } = marksIn();
	expect(marks.read()).toEqual({ marks: NO_MARKS, problems: [] });
	expect(marks.has("none")).toBe(false);
	expect(existsSync(dirname(path))).toBe(false);
});

test("keeps pins and tags, the last change of each counts", () => {
	const { marks, other } = marksIn();
	marks.append("1", [pin("a"), tag("a", "wip"), tag("b", "wip"), tag("b", "idea")]);
	other.append("2", [tag("b", "wip", false), pin("b")]);
	marks.append("3", [pin("a", false)]);
	expect(shown(other.read())).toEqual({ pinned: ["b"], tags: { a: ["wip"], b: ["idea"] } });
});

test("what already is as requested has no effect, and taking back leaves what others have changed since", () => {
	const { marks, other } = marksIn();
	marks.append("1", [pin("a")]);
	const wanted = [pin("a"), pin("b"), pin("c"), pin("c")];
	const effective = marks.withEffect(wanted);
	expect(effective).toEqual([pin("b"), pin("c")]);
	marks.append("2", effective);
	other.append("3", [pin("c", false), tag("b", "wip")]);
	expect(marks.takeBack("2")).toBe(true);
	expect(shown(marks.read())).toEqual({ pinned: ["a"], tags: { b: ["wip"] } });
	expect(marks.takeBack("2")).toBe(false);
	expect(marks.takeBack("never")).toBe(false);
});

describe("what is wrong with the file", () => {
	test("damaged lines and lines of a newer version are reported, kept and ignored", () => {
		const { path, marks } = marksIn();
		marks.append("1", [pin("a")]);
		const odd = [
			'{"version":1,"token":"x","chan',
			'{"version":2,"star":"b"}',
			"[]",
			'{"version":1,"token":"y","changes":[{}]}',
		];
		appendFileSync(path, `${odd.join("\n")}\n`);
		marks.append("2", [pin("c")]);
		const { marks: now, problems } = marks.read();
		expect([...now.pinned.keys()]).toEqual(["a", "c"]);
		expect(problems).toEqual([
			`Line 2 of ${path} cannot be read (and 2 more like it): it is kept but ignored, so a pin or a tag may be missing.`,
			`Line 3 of ${path} was written by a newer version of pi-grove: it is kept but ignored, so a pin or a tag may be missing.`,
		]);
		for (const line of odd) expect(readFileSync(path, "utf8")).toContain(`\n${line}\n`);
	});

	test("cut off anywhere, everything before counts, and the next change is one of its own", () => {
		const { path, marks } = marksIn();
		marks.append("1", [pin("a")]);
		const first = statSync(path).size;
		marks.append("2", [pin("b")]);
		const whole = readFileSync(path);
		for (let size = first; size < whole.length; size++) {
			writeFileSync(path, whole);
			truncateSync(path, size);
			// Without its line end it may still be being written, so that is no damage yet.
			expect(readMarks(path).problems).toEqual([]);
			marks.append("3", [pin("c")]);
			const pinned = [...readMarks(path).marks.pinned.keys()];
			expect(pinned).toEqual(size === whole.length - 1 ? ["a", "b", "c"] : ["a", "c"]);
		}
	});

	test("a pipe or a directory in its place is an error, and nobody waits", () => {
		const { path, marks } = marksIn();
		mkdirSync(dirname(path), { recursive: true });
		spawnSync("mkfifo", [path]);
		expect(() => marks.append("1", [pin("a")])).toThrow(/^the pins and tags cannot be written: .*Path: /);
		expect(() => marks.withEffect([])).toThrow(/^the pins and tags cannot be read: it is not a regular file; move/);
		expect(marks.read().problems).toEqual([expect.stringMatching(/^The pins and tags cannot be read: it is not/)]);
		rmSync(path);
		mkdirSync(path);
		expect(() => marks.append("1", [pin("a")])).toThrow(/^the pins and tags cannot be written: it is a directory/);
	});

	test.skipIf(!existsSync("/dev/full"))("on a full disk the change is refused, and what was noted stays", () => {
		const { path, marks } = marksIn();
		marks.append("1", [pin("a")]);
		const limited = `ulimit -f 1; trap '' XFSZ; exec "$0" "$@"`;
		const child = [process.execPath, childProgram("noted/marks-child.ts"), path, "x", "100"];
		const { stderr } = spawnSync("bash", ["-c", limited, ...child], { encoding: "utf8" });
		expect(stderr).toMatch(/the pins and tags cannot be written: .*(file size|disk is full)/);
		// All that went in before is there, whole lines only.
		const { marks: now } = readMarks(path);
		const noted = [...now.pinned.keys()].filter((id) => id.startsWith("x-")).length;
		expect(now.pinned.has("a")).toBe(true);
		expect(noted).toBeGreaterThan(0);
		expect(noted).toBeLessThan(100);
		marks.append("2", [pin("b")]);
		expect(readMarks(path).marks.pinned.has("b")).toBe(true);
	});
});

test("two windows that write at once lose nothing of each other", async () => {
	const { path } = marksIn();
	const run = (name: string) =>
		once(spawn(process.execPath, [childProgram("noted/marks-child.ts"), path, name, "200"]), "close");
	await Promise.all(["one", "two", "three"].map(run));
	const { marks, problems } = readMarks(path);
	expect(problems).toEqual([]);
	expect(marks.pinned.size).toBe(600);
	expect([...marks.tags.values()].flatMap((files) => [...files.values()].flat())).toHaveLength(600);
});

const change = fc.record(
	{
		id: fc.constantFrom("a", "b", "c"),
		file: fc.constantFrom("/w/api/a.jsonl", "/w/web/a.jsonl"),
		tag: fc.constantFrom("x", "y"),
		on: fc.boolean(),
	},
	{ requiredKeys: ["id", "file", "on"] },
);
const step = fc.record({ who: fc.constantFrom(0, 1), changes: fc.array(change, { maxLength: 4 }), undo: fc.boolean() });

test("whatever two windows do in turn, both see what was done, and each takes back no more than its own", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
			const { path, marks, other } = marksIn(tempDir());
			let expected = NO_MARKS;
			// Of a version that knew no files.
			let all: readonly MarkChange[] = [pin("a"), tag("b", "x")];
			marks.append("old", all);
			expected = applyChanges(all);
			for (const [index, { who, changes, undo }] of steps.entries()) {
				const window = who === 0 ? marks : other;
				const effective = window.withEffect(changes);
				expect(effective).toEqual(withEffect(changes, expected));
				window.append(String(index), effective);
				if (undo) window.takeBack(String(index));
				else all = [...all, ...effective];
				expected = applyChanges(all);
				for (const each of [marks, other]) expect(each.read()).toEqual({ marks: expected, problems: [] });
			}
			rmSync(dirname(dirname(dirname(path))), { recursive: true, force: true });
		}),
		{ numRuns: caseCount(5, 30) },
	);
});

test("a change of another window is heard of, also the first one, for which the directory is made", async () => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	const { marks, other } = marksIn();
	const heard: string[][] = [];
	marks.watch(({ marks: { pinned } }) => heard.push([...pinned.keys()]));
	onTestFinished(() => {
		marks.close();
		vi.useRealTimers();
	});
	other.append("1", [pin("a")]);
	// What cannot be watched is looked at every two seconds.
	vi.advanceTimersByTime(2000);
	expect(heard).toEqual([["a"]]);
	other.append("2", [pin("b")]);
	await vi.waitUntil(() => heard.length === 2);
	expect(heard.at(-1)).toEqual(["a", "b"]);
	expect(printNotedLine({ token: "2", changes: [pin("b")] })).toBe(
		'{"version":1,"token":"2","changes":[{"id":"b","on":true}]}',
	);
});
