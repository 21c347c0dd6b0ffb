import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { replaceText } from "../../../src/store/write/text-file.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("the file and its new directory are only accessible to the person, whatever was there before", async () => {
	const path = join(tempDir(), "made", "file.txt");
	await replaceText(path, ["one, ", "two"]);
	expect(readFileSync(path, "utf8")).toBe("one, two");
	chmodSync(path, 0o644);
	await replaceText(path, ["three"]);
	expect(readFileSync(path, "utf8")).toBe("three");
	expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
	expect(readdirSync(dirname(path))).toEqual(["file.txt"]);
});

test("a write or rename that fails leaves everything unchanged", async () => {
	const dir = tempDir();
	const path = join(dir, "file.txt");
	writeFileSync(path, "before");
	function* broken(): Generator<string> {
		yield "half";
		throw new Error("no more");
	}
	await expect(replaceText(path, broken())).rejects.toThrow("no more");
	mkdirSync(join(dir, "taken"));
	writeFileSync(join(dir, "taken", "inside"), "");
	await expect(replaceText(join(dir, "taken"), ["text"])).rejects.toThrow();
	expect(readFileSync(path, "utf8")).toBe("before");
	expect(readdirSync(dir).toSorted()).toEqual(["file.txt", "taken"]);
});
