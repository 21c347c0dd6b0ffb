import { execFileSync } from "node:child_process";
import {
	accessSync,
	appendFileSync,
	chmodSync,
	constants,
	copyFileSync,
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
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { restoreSession, trashSession } from "../../../src/store/actions/trash.ts";
import { findInTrash, trashDirs } from "../../../src/store/actions/trash-places.ts";
import { DATA_HOME } from "../../support/data-home.ts";
import { fingerprint } from "../../support/fingerprint.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A directory on another file system than the temporary one, if there is one. */
const otherDevice = ["/dev/shm", "/run/shm", "/var/tmp"].find(
	(dir) => existsSync(dir) && statSync(dir).dev !== statSync(DATA_HOME).dev && canWrite(dir),
);

function canWrite(dir: string): boolean {
	try {
		accessSync(dir, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** Moves a file to another device, as if the trash were there; returns its path. Without one, it stays. */
function toAnotherDevice(path: string): string {
	if (otherDevice === undefined) return path;
	const folder = mkdtempSync(join(otherDevice, "pi-grove-test-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const moved = join(folder, "trashed");
	if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), moved);
	else {
		const { atime, mtime } = statSync(path);
		copyFileSync(path, moved);
		utimesSync(moved, atime, mtime);
	}
	rmSync(path);
	return moved;
}

describe.skipIf(process.platform !== "linux")("the trash", () => {
	beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

	test("takes a session and restores it, byte for byte, with its modification time", async () => {
		const path = copyOfFixture("v1", dirWithAStrangeName());
		const before = fingerprint(path);
		const receipt = await trashSession(path);
		expect(existsSync(path)).toBe(false);
		expect(receipt).toMatchObject({ path, size: readFileSync(receipt.trashed?.path ?? "").length });
		expect(receipt.trashed?.path.startsWith(DATA_HOME)).toBe(true);

		rmSync(dirname(path), { recursive: true });
		expect(await restoreSession(JSON.parse(JSON.stringify(receipt)))).toBe(path);
		expect(fingerprint(path)).toEqual(before);
		expect(readdirSync(join(DATA_HOME, "Trash/files"))).toEqual([]);
		expect(readdirSync(join(DATA_HOME, "Trash/info"))).toEqual([]);
	});

	test("completes a restore that was killed: before the file left the trash, or before its note did", async () => {
		const path = copyOfFixture("linear-v3");
		const before = fingerprint(path);
		for (const leftInTrash of ["the file and its note", "the note", "nothing"]) {
			const receipt = await trashSession(path);
			const { path: file, info } = receipt.trashed ?? { path: "", info: "" };
			linkSync(file, path);
			if (leftInTrash !== "the file and its note") rmSync(file);
			if (leftInTrash === "nothing") rmSync(info ?? "");
			expect(await restoreSession(receipt), leftInTrash).toBe(path);
			expect(fingerprint(path)).toBe(before);
			expect(readdirSync(join(DATA_HOME, "Trash/files"))).toEqual([]);
			expect(readdirSync(join(DATA_HOME, "Trash/info"))).toEqual([]);
		}
	});

	test("is found by its note if there is no receipt", async () => {
		const path = copyOfFixture("linear-v3", dirWithAStrangeName());
		const { size } = statSync(path);
		const at = new Date().toISOString();
		expect(await findInTrash(path, size, at, trashDirs(path))).toBeUndefined();
		const receipt = await trashSession(path);
		expect(await findInTrash(path, size, at, trashDirs(path))).toEqual(receipt.trashed);
		const later = new Date(Date.now() + 60_000).toISOString();
		expect(await findInTrash(path, size, later, trashDirs(path))).toBeUndefined();
		expect(await findInTrash(join(path, "other"), size, at, trashDirs(path))).toBeUndefined();
		expect(await findInTrash(path, size + 1, at, trashDirs(path))).toBeUndefined();
	});

	test("does not restore over a file that now has the same path", async () => {
		const path = copyOfFixture("linear-v3");
		const receipt = await trashSession(path);
		writeFileSync(path, "another one");
		await expect(restoreSession(receipt)).rejects.toThrow(/Cannot restore .* already exists \(EEXIST\)/);
		expect(readFileSync(path, "utf8")).toBe("another one");
		expect(existsSync(receipt.trashed?.path ?? "")).toBe(true);
	});

	test("reports that the trash was emptied, or used for something else", async () => {
		const path = copyOfFixture("linear-v3");
		const receipt = await trashSession(path);
		const info = receipt.trashed?.info ?? "";
		writeFileSync(info, "[Trash Info]\nPath=/something/else\nDeletionDate=2026-01-01T00:00:00\n");
		await expect(restoreSession(receipt)).rejects.toThrow(/is another file/);
		rmSync(join(DATA_HOME, "Trash"), { recursive: true });
		await expect(restoreSession(receipt)).rejects.toThrow(/it is no longer in the trash/);
		await expect(restoreSession({ path, size: 1 })).rejects.toThrow(
			/was not found in the system's trash; restore it there/,
		);
	});

	test("never deletes: when it cannot take the file, the file stays, with a reason", async () => {
		const path = copyOfFixture("linear-v3");
		const before = fingerprint(path);
		// A file where the trash's directory should be.
		writeFileSync(join(DATA_HOME, "Trash"), "");
		await expect(trashSession(path)).rejects.toThrow(
			/^Cannot move the session to the trash: .*\. The file is still there; nothing was deleted\. Path: /,
		);
		expect(fingerprint(path)).toEqual(before);
	});

	test("keeps a file that is no longer what a question showed", async () => {
		const path = copyOfFixture("linear-v3");
		const { size } = statSync(path);
		appendFileSync(path, "{}\n");
		const before = fingerprint(path);
		await expect(trashSession(path, { size })).rejects.toMatchObject({ code: "changed" });
		expect(fingerprint(path)).toEqual(before);
		expect((await trashSession(path, { size: size + 3 })).size).toBe(size + 3);
		expect(existsSync(path)).toBe(false);
	});

	test.each([
		["relative", "real.jsonl"],
		["absolute", undefined],
		["dangling", "nowhere.jsonl"],
	])("takes a %s link and restores the link, not a copy, also from another device", async (_kind, target) => {
		const folder = tempDir();
		const real = join(folder, "real.jsonl");
		copyFileSync(copyOfFixture("linear-v3"), real);
		const path = join(folder, "link.jsonl");
		symlinkSync(target ?? real, path);
		for (const moved of [(file: string) => file, toAnotherDevice]) {
			const receipt = await trashSession(path, { size: target === "nowhere.jsonl" ? 0 : statSync(real).size });
			expect(existsSync(real)).toBe(true);
			expect(readdirSync(folder)).toEqual(["real.jsonl"]);
			const trashed = { path: moved(receipt.trashed?.path ?? ""), info: receipt.trashed?.info ?? "" };
			expect(await restoreSession({ ...receipt, trashed })).toBe(path);
			expect(readlinkSync(path)).toBe(target ?? real);
			expect(readdirSync(folder)).toEqual(["link.jsonl", "real.jsonl"]);
			expect(existsSync(trashed.path)).toBe(false);
			expect(existsSync(trashed.info)).toBe(false);
		}
	});

	test.skipIf(otherDevice === undefined)("restores a file from another device, with its time and mode", async () => {
		const path = copyOfFixture("linear-v3");
		chmodSync(path, 0o600);
		utimesSync(path, 1000, 2000);
		const before = fingerprint(path);
		const receipt = await trashSession(path);
		const trashed = { path: toAnotherDevice(receipt.trashed?.path ?? ""), info: receipt.trashed?.info ?? "" };
		writeFileSync(path, "another one");
		await expect(restoreSession({ ...receipt, trashed })).rejects.toThrow(/already exists \(EEXIST\)/);
		expect(readdirSync(dirname(path))).toEqual(["linear-v3.jsonl"]);
		rmSync(path);
		await restoreSession({ ...receipt, trashed });
		expect(fingerprint(path)).toEqual(before);
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(existsSync(trashed.path)).toBe(false);
		expect(readdirSync(dirname(path))).toEqual(["linear-v3.jsonl"]);
	});

	test("ends a move that was interrupted between its two steps", async () => {
		const path = copyOfFixture("linear-v3");
		const before = fingerprint(path);
		const receipt = await trashSession(path);
		linkSync(receipt.trashed?.path ?? "", path);
		await restoreSession(receipt);
		expect(fingerprint(path)).toEqual(before);
		expect(readdirSync(join(DATA_HOME, "Trash/files"))).toEqual([]);
		expect(readdirSync(join(DATA_HOME, "Trash/info"))).toEqual([]);
	});

	test("moves nothing but session files, wherever the path came from", async () => {
		const folder = tempDir();
		const other = join(folder, "notes.txt");
		writeFileSync(other, "mine");
		const directory = join(folder, "directory.jsonl");
		mkdirSync(directory);
		await expect(trashSession(other)).rejects.toMatchObject({ code: "not-a-session" });
		await expect(trashSession(directory)).rejects.toThrow(/it is not a regular file/);
		const receipt = await trashSession(copyOfFixture("linear-v3"));
		await expect(restoreSession({ ...receipt, path: join(folder, "made.txt") })).rejects.toMatchObject({
			code: "not-a-session",
		});
		await expect(restoreSession({ ...receipt, path: "made.jsonl" })).rejects.toMatchObject({ code: "not-a-session" });
		expect(readdirSync(folder)).toEqual(["directory.jsonl", "notes.txt"]);
		expect(readdirSync(join(DATA_HOME, "Trash/files"))).toHaveLength(1);
	});

	test("does not wait for a pipe in place of the note", async () => {
		const receipt = await trashSession(copyOfFixture("linear-v3"));
		const info = receipt.trashed?.info ?? "";
		rmSync(info);
		execFileSync("mkfifo", [info]);
		await expect(restoreSession(receipt)).rejects.toThrow(/is not a regular file/);
		const { path, size } = receipt;
		expect(await findInTrash(path, size, "2026-01-01T00:00:00.000Z", trashDirs(path))).toBeUndefined();
	});

	test("reports that there is no such file", async () => {
		await expect(trashSession(join(DATA_HOME, "none.jsonl"))).rejects.toThrow(
			/^Cannot move the session to the trash: it does not exist/,
		);
	});
});

function dirWithAStrangeName(): string {
	const folder = join(tempDir(), "a [b] 100% # é");
	mkdirSync(folder);
	return folder;
}
