import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { findInTrash, trashDirs } from "../../../src/store/actions/find-in-trash.ts";
import { restoreSession, trashSession } from "../../../src/store/actions/trash.ts";
import { fingerprint } from "../../support/fingerprint.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { tempDir, tempDirOfFile } from "../../support/temp-dir.ts";

// A trash of its own; only on Linux can its directory be set. It is read once, at the first import.
const data = tempDirOfFile();
vi.stubEnv("XDG_DATA_HOME", data);

describe.skipIf(process.platform !== "linux")("the trash", () => {
	beforeEach(() => rmSync(join(data, "Trash"), { recursive: true, force: true }));

	test("takes a session and restores it, byte for byte, with its modification time", async () => {
		const path = copyOfFixture("v1", dirWithAStrangeName());
		const before = fingerprint(path);
		const receipt = await trashSession(path);
		expect(existsSync(path)).toBe(false);
		expect(receipt).toMatchObject({ path, size: readFileSync(receipt.trashed?.path ?? "").length });
		expect(receipt.trashed?.path.startsWith(data)).toBe(true);

		rmSync(dirname(path), { recursive: true });
		expect(await restoreSession(JSON.parse(JSON.stringify(receipt)))).toBe(path);
		expect(fingerprint(path)).toEqual(before);
		expect(readdirSync(join(data, "Trash/files"))).toEqual([]);
		expect(readdirSync(join(data, "Trash/info"))).toEqual([]);
	});

	test("completes a restore that was killed: before the file left the trash, or before its note did", async () => {
		const path = copyOfFixture("linear-v3");
		const before = fingerprint(path);
		for (const leftInTrash of ["the file and its note", "the note", "nothing"]) {
			const receipt = await trashSession(path);
			const { path: file, info } = receipt.trashed ?? { path: "", info: "" };
			linkSync(file, path);
			if (leftInTrash !== "the file and its note") rmSync(file);
			if (leftInTrash === "nothing") rmSync(info);
			expect(await restoreSession(receipt), leftInTrash).toBe(path);
			expect(fingerprint(path)).toBe(before);
			expect(readdirSync(join(data, "Trash/files"))).toEqual([]);
			expect(readdirSync(join(data, "Trash/info"))).toEqual([]);
		}
	});

	test("is found by its note where nobody kept the receipt", async () => {
		const path = copyOfFixture("linear-v3", dirWithAStrangeName());
		const { size } = statSync(path);
		const at = new Date().toISOString();
		expect(await findInTrash(path, size, at, trashDirs(path))).toBeUndefined();
		const receipt = await trashSession(path);
		expect(await findInTrash(path, size, at, trashDirs(path))).toEqual(receipt);
		const later = new Date(Date.now() + 60_000).toISOString();
		expect(await findInTrash(path, size, later, trashDirs(path))).toBeUndefined();
		expect(await findInTrash(join(path, "other"), size, at, trashDirs(path))).toBeUndefined();
		expect(await findInTrash(path, size + 1, at, trashDirs(path))).toBeUndefined();
	});

	test("does not restore over a file that now has the same path", async () => {
		const path = copyOfFixture("linear-v3");
		const receipt = await trashSession(path);
		writeFileSync(path, "another one");
		await expect(restoreSession(receipt)).rejects.toThrow(/Cannot restore .* already there \(EEXIST\)/);
		expect(readFileSync(path, "utf8")).toBe("another one");
		expect(existsSync(receipt.trashed?.path ?? "")).toBe(true);
	});

	test("reports that the trash was emptied, or used for something else", async () => {
		const path = copyOfFixture("linear-v3");
		const receipt = await trashSession(path);
		const info = receipt.trashed?.info ?? "";
		writeFileSync(info, "[Trash Info]\nPath=/something/else\nDeletionDate=2026-01-01T00:00:00\n");
		await expect(restoreSession(receipt)).rejects.toThrow(/is about another file/);
		rmSync(join(data, "Trash"), { recursive: true });
		await expect(restoreSession(receipt)).rejects.toThrow(/it is no longer in the trash/);
		await expect(restoreSession({ path, size: 1 })).rejects.toThrow(/does not tell where its trash put the file/);
	});

	test("never deletes: when it cannot take the file, the file stays, with a reason", async () => {
		const path = copyOfFixture("linear-v3");
		const before = fingerprint(path);
		// A file where the trash's directory should be.
		writeFileSync(join(data, "Trash"), "");
		await expect(trashSession(path)).rejects.toThrow(
			/^Cannot move the session to the trash: .*\. The file is still there; nothing was deleted\. Path: /,
		);
		expect(fingerprint(path)).toEqual(before);
	});

	test("reports that there is no such file", async () => {
		await expect(trashSession(join(data, "none.jsonl"))).rejects.toThrow(
			/^Cannot move the session to the trash: it does not exist/,
		);
	});
});

function dirWithAStrangeName(): string {
	const folder = join(tempDir(), "a [b] 100% # é");
	mkdirSync(folder);
	return folder;
}
