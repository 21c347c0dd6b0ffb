import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionComments, waitingComments } from "../../../src/catalog/model/marks.ts";
import type { CommentChange } from "../../../src/changes/noted/comments.ts";
import { changedSession, openMarksFile } from "../../../src/changes/noted/marks.ts";
import { COMMENT } from "../../support/comments.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ROW = { id: "s1", path: "/sessions/s1.jsonl", cwd: "/work/api" };
const OTHER = { ...ROW, cwd: "/work/other" };

function files() {
	const path = join(tempDir(), "marks.jsonl");
	return { beside: join(path, "..", "comments.jsonl"), marks: openMarksFile(path), other: openMarksFile(path) };
}

function say(key: string, text: string | null, sentMs?: number): CommentChange {
	const { id, file = "" } = changedSession(ROW);
	return { id, file, key, comment: text === null ? null : { ...COMMENT, key, text, ...(sentMs && { sentMs }) } };
}

const texts = (marks: ReturnType<typeof files>["marks"], row = ROW): readonly string[] =>
	sessionComments(row, marks.read().marks).map(({ text }) => text);

test("two windows lose nothing: comments of both are there, in the order in which they were written", () => {
	const { marks, other } = files();
	marks.comments.append("1", [say("a", "first")]);
	other.comments.append("2", [say("b", "second")]);
	marks.comments.append("3", [say("a", "first, changed")]);
	marks.append("4", [{ ...changedSession(ROW), on: true }]);
	expect(texts(other)).toEqual(["first, changed", "second"]);
	expect(texts(other, OTHER)).toEqual([]);
	expect(other.read().marks.pinned.size).toBe(1);
	other.comments.append("5", [say("b", "second", 9)]);
	expect(waitingComments(ROW, marks.read().marks).map(({ key }) => key)).toEqual(["a"]);
	expect(marks.read().problems).toEqual([]);
});

test("taking back brings a deleted or changed comment back, and leaves what others have changed since", () => {
	const { marks, other } = files();
	marks.comments.append("1", [say("a", "one"), say("b", "two")]);
	marks.comments.append("2", [say("a", null), say("b", "2")]);
	expect(texts(marks)).toEqual(["2"]);
	other.comments.append("3", [say("b", "ii")]);
	expect(marks.comments.takeBack("2")).toBe(true);
	expect(texts(marks).toSorted()).toEqual(["ii", "one"]);
	expect(marks.comments.takeBack("2")).toBe(false);
	marks.comments.takeBack("3");
	marks.comments.takeBack("1");
	expect(texts(marks).toSorted()).toEqual(["2"]);
});

test("a damaged line is named, stays, and hides no other; what cannot be written is said with the path", () => {
	const { marks, beside } = files();
	marks.comments.append("1", [say("a", "kept")]);
	const whole = readFileSync(beside, "utf8");
	expect(statSync(beside).mode & 0o777).toBe(0o600);
	appendFileSync(
		beside,
		`{"version":1,"token":"x","changes":[{"id":"s1","file":"f","key":"k","comment":{"text":3}}]}\n`,
	);
	appendFileSync(beside, `{"version":9}\n`);
	marks.comments.append("2", [say("b", "after")]);
	expect(texts(marks)).toEqual(["kept", "after"]);
	expect(marks.read().problems).toEqual([
		`Line 2 of ${beside} cannot be read: it is kept but ignored, so a comment may be missing.`,
		`Line 3 of ${beside} was written by a newer version of pi-grove: it is kept but ignored, so a comment may be missing.`,
	]);
	expect(readFileSync(beside, "utf8").startsWith(whole)).toBe(true);

	const { marks: broken, beside: directory } = files();
	mkdirSync(directory);
	expect(() => broken.comments.append("1", [say("a", "lost?")])).toThrow(`Path: ${directory}`);
	expect(broken.read().problems.join(" ")).toContain("The comments cannot be read");
	writeFileSync(join(directory, "..", "marks.jsonl"), "");
	chmodSync(directory, 0o700);
});

test("all windows learn of it", async () => {
	const { marks, other } = files();
	const { promise, resolve } = Promise.withResolvers<readonly string[]>();
	other.watch(({ marks: read }) => resolve(sessionComments(ROW, read).map(({ text }) => text)));
	marks.comments.append("1", [say("a", "seen")]);
	expect(await promise).toEqual(["seen"]);
	other.close();
});
