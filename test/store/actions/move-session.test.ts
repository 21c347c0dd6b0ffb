import { spawnSync } from "node:child_process";
import {
	accessSync,
	chmodSync,
	constants,
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isMoved, moveSession } from "../../../src/store/actions/move-session.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";

const isRoot = process.getuid?.() === 0;

function place() {
	const from = copyOfFixture("branches");
	const to = join(tempDir(), "session-archive", "--x--", "a.jsonl");
	return { from, to, bytes: readFileSync(from) };
}

/** A path on another file system than the temporary directory, if there is one. */
function elsewhere(): string | undefined {
	const temporary = tempDir();
	const other = ["/dev/shm", "/run/shm", "/var/tmp"].find((dir) => {
		try {
			accessSync(dir, constants.W_OK);
			return statSync(dir).dev !== statSync(temporary).dev;
		} catch {
			return false;
		}
	});
	if (other === undefined) return undefined;
	const folder = mkdtempSync(join(other, "pi-grove-test-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return join(folder, "session-archive", "--x--", "a.jsonl");
}

test("moves every byte and the time, and back again", async () => {
	const { from, to, bytes } = place();
	utimesSync(from, 1_700_000_000, 1_700_000_000);
	await moveSession(from, to, "archive the session", bytes.length);
	expect([existsSync(from), readFileSync(to).equals(bytes)]).toEqual([false, true]);
	expect(statSync(to).mtimeMs).toBe(1_700_000_000_000);
	expect(await isMoved(from, to)).toBe(true);
	expect(statSync(dirname(to)).mode & 0o777).toBe(0o700);
	await moveSession(to, from, "bring the session back");
	expect([existsSync(to), readFileSync(from).equals(bytes)]).toEqual([false, true]);
	expect(await isMoved(from, to)).toBe(false);
});

test("to another file system it is copied whole", async ({ skip }) => {
	const to = elsewhere();
	if (to === undefined) return skip();
	const { from, bytes } = place();
	utimesSync(from, 1_700_000_000, 1_700_000_000);
	await moveSession(from, to, "archive the session");
	expect([existsSync(from), readFileSync(to).equals(bytes)]).toEqual([false, true]);
	expect(statSync(to).mtimeMs).toBe(1_700_000_000_000);
	expect(readdirSync(dirname(to))).toEqual(["a.jsonl"]);
});

test("never replaces a file", async () => {
	const { from, to, bytes } = place();
	mkdirSync(dirname(to), { recursive: true });
	writeFileSync(to, "another one");
	await expect(moveSession(from, to, "archive the session")).rejects.toMatchObject({
		code: "EEXIST",
		reason: `another file already exists: ${to}; it is not replaced`,
	});
	expect([readFileSync(from).equals(bytes), readFileSync(to, "utf8")]).toEqual([true, "another one"]);
});

test("a move that was killed between its two steps is completed by the next one", async () => {
	const { from, to, bytes } = place();
	mkdirSync(dirname(to), { recursive: true });
	linkSync(from, to);
	expect(await isMoved(from, to)).toBe(true);
	await moveSession(from, to, "archive the session");
	expect([existsSync(from), readFileSync(to).equals(bytes)]).toEqual([false, true]);
});

describe("is refused, and nothing is changed", () => {
	test("when something was written to it since it was shown", async () => {
		const { from, to, bytes } = place();
		await expect(moveSession(from, to, "archive the session", bytes.length - 1)).rejects.toMatchObject({
			code: "changed",
			message: expect.stringMatching(/^Cannot archive the session: it was written to since/),
		});
		expect([existsSync(from), existsSync(to)]).toEqual([true, false]);
	});

	test("for a missing file, a directory, and a file that is not named like a session", async () => {
		const { from, to } = place();
		await expect(moveSession(`${from}.jsonl`, to, "archive the session")).rejects.toMatchObject({ code: "ENOENT" });
		await expect(moveSession("a.jsonl", to, "archive the session")).rejects.toMatchObject({ code: "not-a-session" });
		await expect(moveSession(from, "/etc/passwd", "archive the session")).rejects.toMatchObject({
			code: "not-a-session",
		});
		const directory = join(tempDir(), "b.jsonl");
		mkdirSync(directory);
		await expect(moveSession(directory, to, "archive the session")).rejects.toMatchObject({ code: "not-a-file" });
		expect(existsSync(to)).toBe(false);
	});

	test.skipIf(isRoot)("if the archive, or the directory of the session, cannot be written", async () => {
		const { from, to, bytes } = place();
		mkdirSync(dirname(to), { recursive: true });
		for (const directory of [dirname(to), dirname(from)]) {
			const { mode } = statSync(directory);
			chmodSync(directory, 0o500);
			try {
				await expect(moveSession(from, to, "archive the session")).rejects.toMatchObject({ code: "EACCES" });
			} finally {
				chmodSync(directory, mode);
			}
			expect(readFileSync(from).equals(bytes)).toBe(true);
		}
	});
});

test("if the session cannot leave its old path, it gets no second one", async ({ skip }) => {
	const { from, to, bytes } = place();
	// Files can be added to such a directory but not removed from it, not even by root.
	if (spawnSync("chattr", ["+a", dirname(from)]).status !== 0) return skip();
	try {
		await expect(moveSession(from, to, "archive the session")).rejects.toMatchObject({ code: "EPERM" });
	} finally {
		spawnSync("chattr", ["-a", dirname(from)]);
	}
	expect([existsSync(to), readFileSync(from).equals(bytes)]).toEqual([false, true]);
});

test("a link stays a link; a relative one would lead nowhere and is refused", async () => {
	const { from, to } = place();
	const links = tempDir();
	const absolute = join(links, "absolute.jsonl");
	symlinkSync(from, absolute);
	await moveSession(absolute, to, "archive the session", statSync(from).size);
	expect([readlinkSync(to), existsSync(from)]).toEqual([from, true]);
	const relative = join(links, "relative.jsonl");
	symlinkSync("./other.jsonl", relative);
	await expect(moveSession(relative, `${to}.jsonl`, "archive the session")).rejects.toMatchObject({
		code: "relative-link",
	});
	expect(lstatSync(relative).isSymbolicLink()).toBe(true);
});
