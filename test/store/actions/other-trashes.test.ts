import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import { NO_MARKS } from "../../../src/catalog/model/marks.ts";
import { questionAbout } from "../../../src/changes/engine/ask.ts";
import { LINUX, MACOS, WINDOWS } from "../../../src/shared/system.ts";
import { restoreSession } from "../../../src/store/actions/trash.ts";
import {
	filesInTrash,
	findInTrash,
	isInSomeTrash,
	isTrashClosed,
	prepareToFind,
	readTrashNote,
	trashDirOf,
	trashDirs,
} from "../../../src/store/actions/trash-places.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { makeRow, NOW } from "../../support/rows.ts";
import { tempDir } from "../../support/temp-dir.ts";

/*
 * The trash of systems that do not tell where they put a file. The `trash` package, which moves it, runs programs of those systems: here the
 * files are put where they put them.
 */

const AT = "2026-11-21T14:05:31.000Z";

/** A note of Windows' recycle bin: https://github.com/libyal/dtformats, "Windows Recycle.Bin file formats". */
function recycleNote(path: string, size: number, { version = 2, at = AT } = {}): Buffer {
	const name = Buffer.from(`${path}\0`, "utf16le");
	const head = Buffer.alloc(version === 1 ? 24 : 28);
	head.writeBigInt64LE(BigInt(version), 0);
	head.writeBigInt64LE(BigInt(size), 8);
	head.writeBigInt64LE((BigInt(Date.parse(at)) + 11_644_473_600_000n) * 10_000n, 16);
	if (version === 1) return Buffer.concat([head, name, Buffer.alloc(520 - name.length)]);
	head.writeInt32LE(name.length / 2, 24);
	return Buffer.concat([head, name]);
}

/** A recycle bin with the directories of two users. */
function recycleBin() {
	const bin = join(tempDir(), "$Recycle.Bin");
	const own = join(bin, "S-1-5-21-1111-2222-3333-1001");
	mkdirSync(own, { recursive: true });
	mkdirSync(join(bin, "S-1-5-18"));
	writeFileSync(join(bin, "desktop.ini"), "");
	writeFileSync(join(own, "desktop.ini"), "");
	const put = (id: string, note: Buffer, content?: string | Buffer): void => {
		writeFileSync(join(own, `$I${id}.jsonl`), note);
		if (content !== undefined) writeFileSync(join(own, `$R${id}.jsonl`), content);
	};
	return { bin, own, put };
}

describe("the recycle bin of Windows", () => {
	const path = "C:\\Users\\Ada\\.pi\\agent\\sessions\\--C--api--\\one.jsonl";
	const find = (size: number, at: string, dirs: readonly string[], from = path) =>
		findInTrash(from, size, at, dirs, { system: WINDOWS });

	test("is that of the file's drive", () => {
		expect(trashDirs(path, WINDOWS)).toEqual(["C:\\$Recycle.Bin"]);
	});

	test.each([1, 2])("has a note of each file, in version %i", async (version) => {
		const { own, put } = recycleBin();
		put("AAAAAA", recycleNote(path, 7, { version }));
		expect(await readTrashNote(join(own, "$IAAAAAA.jsonl"))).toEqual({ path, deletedMs: Date.parse(AT) });
	});

	test("gives back a file that was put there, by its path in any letter case, its size and the time", async () => {
		const { bin, own, put } = recycleBin();
		put("BROKEN", Buffer.from("no note"), "content");
		put("FUTURE", recycleNote(path, 7, { version: 3 }), "content");
		put("NOFILE", recycleNote(path, 7));
		put("OTHERS", recycleNote("C:\\other.jsonl", 7), "content");
		expect(await find(7, AT, [bin])).toBeUndefined();
		put("AAAAAA", recycleNote(path, 7), "content");
		const trashed = { path: join(own, "$RAAAAAA.jsonl"), info: join(own, "$IAAAAAA.jsonl") };
		expect(await find(7, AT, [bin])).toEqual(trashed);
		expect(await find(7, AT, [bin], path.replace("Users\\Ada", "users\\ada"))).toEqual(trashed);
		expect(await find(8, AT, [bin])).toBeUndefined();
		expect(await find(7, new Date(Date.now() + 60_000).toISOString(), [bin])).toBeUndefined();
		expect(trashDirOf(trashed)).toBe(bin);
	});

	test("restores a session, byte for byte, and removes its note", async () => {
		const { own, put } = recycleBin();
		const session = copyOfFixture("conversation");
		const content = readFileSync(session);
		put("AAAAAA", recycleNote(session, content.length), content);
		renameSync(session, join(own, "$RAAAAAA.jsonl"));
		const trashed = { path: join(own, "$RAAAAAA.jsonl"), info: join(own, "$IAAAAAA.jsonl") };
		const other = { path: join(dirname(session), "other.jsonl"), size: content.length, trashed };
		await expect(restoreSession(other)).rejects.toThrow(/is another file/);
		expect(await restoreSession({ path: session, size: content.length, trashed })).toBe(session);
		expect(readFileSync(session)).toEqual(content);
		expect(readdirSync(own)).toEqual(["desktop.ini"]);
	});
});

/** A home directory with a trash, as on a Mac. */
function macHome() {
	const home = tempDir();
	vi.stubEnv("HOME", home);
	const trash = join(home, ".Trash");
	mkdirSync(trash);
	return { home, trash };
}

describe("the trash of macOS", () => {
	test("is in the home directory, and at the top of each other disk", () => {
		const { trash } = macHome();
		const dirs = trashDirs("/Volumes/SSD/pi/one.jsonl", MACOS);
		expect(dirs[0]).toBe(trash);
		expect(dirs).toContain(`/Volumes/SSD/.Trashes/${process.getuid?.()}`);
	});

	test.each([
		["one.jsonl", "one.jsonl"],
		["one.jsonl", "one 14.05.31.jsonl"],
		["one.jsonl", "one 2.jsonl"],
		["one.jsonl", "one.jsonl 1"],
		["caf\u00e9.jsonl", "cafe\u0301.jsonl"],
	])("%s is found there as %s, among files like it", async (name, nameThere) => {
		const { home, trash } = macHome();
		const path = join(home, name);
		writeFileSync(path, "content");
		// An earlier one, a longer name, and another size.
		for (const other of ["one 1.jsonl", "one-more.jsonl"]) writeFileSync(join(trash, other), "content");
		writeFileSync(join(trash, "one 0.jsonl"), "more content");
		const find = await prepareToFind(path, 7, MACOS);
		expect(await find()).toBeUndefined();
		renameSync(path, join(trash, nameThere));
		writeFileSync(join(trash, "one-new.jsonl"), "content");
		expect(await find()).toEqual({ path: join(trash, nameThere) });
	});

	test("gives back a session by its size, since there is no note", async () => {
		const { trash } = macHome();
		const session = copyOfFixture("conversation");
		const { size } = statSync(session);
		const trashed = { path: join(trash, "conversation 2.jsonl") };
		renameSync(session, trashed.path);
		await expect(restoreSession({ path: session, size: size + 1, trashed })).rejects.toThrow(/another file/);
		expect(await restoreSession({ path: session, size, trashed })).toBe(session);
		expect([existsSync(session), readdirSync(trash), trashDirOf(trashed)]).toEqual([true, [], trash]);
	});

	test("that no program may look into makes the question say that undo will not bring it back", async () => {
		const { home } = macHome();
		expect([MACOS, LINUX, WINDOWS].map((system) => isTrashClosed(home, system))).toEqual([false, false, false]);
		const closed = join(home, "else");
		expect([MACOS, LINUX, WINDOWS].map((system) => isTrashClosed(closed, system))).toEqual([true, false, false]);
		const row = makeRow("one");
		const bodyOf = (isClosed: boolean): string => {
			const known = { live: NOTHING_LIVE, marks: NO_MARKS, now: NOW, home, runsBelow: () => [] };
			const context = { ...known, rows: new Map([[row.path, row]]), isTrashClosed: isClosed };
			return JSON.stringify(questionAbout({ type: "trash" }, [row.path], context).body);
		};
		expect(bodyOf(true)).toContain("Undo will not bring it back");
		expect(bodyOf(false)).not.toContain("Undo will not");
		const files: unknown[] = [];
		for await (const file of filesInTrash([join(closed, ".Trash")], MACOS)) files.push(file);
		expect(files).toEqual([]);
	});
});

test.each([
	["/home/ada/.local/share/Trash/files/x", "/home/ada/.local/share/Trash/info/x.trashinfo", LINUX, true],
	["/home/ada/.ssh/id", "/home/ada/.local/share/Trash/info/x.trashinfo", LINUX, false],
	["/home/ada/.Trash/x", undefined, LINUX, false],
	["/Users/ada/.Trash/x 2.jsonl", undefined, MACOS, true],
	["/Volumes/SSD/.Trashes/501/x.jsonl", undefined, MACOS, true],
	["/Users/ada/.ssh/id", undefined, MACOS, false],
	["C:\\$Recycle.Bin\\S-1-5\\$RABC.jsonl", "C:\\$Recycle.Bin\\S-1-5\\$IABC.jsonl", WINDOWS, true],
	["C:\\$Recycle.Bin\\S-1-5\\$RABC.jsonl", "C:\\$Recycle.Bin\\S-1-5\\$IABD.jsonl", WINDOWS, false],
	["C:\\Users\\ada\\x.jsonl", "C:\\Users\\ada\\y", WINDOWS, false],
])("a journal may name %s with the note %s as something in the trash, or not", (path, info, system, isIn) => {
	expect(isInSomeTrash({ path, info }, system)).toBe(isIn);
});
