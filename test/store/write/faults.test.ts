import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isDamaged } from "../../../src/store/format/diagnostic.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { appendLines } from "../../../src/store/write/append.ts";
import { childProgram } from "../../support/bundled-programs.ts";
import { inLong, inShort } from "../../support/cases.ts";
import { faultyFileSystem, shortWrites } from "../../support/faulty-file-system.ts";
import { copyOfFixture, fixtureDir } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { WRITE_CASES, type WriteCase } from "../../support/write-cases.ts";

const contentOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

function child(script: string, args: readonly string[], limits = ""): ReturnType<typeof spawnSync> {
	const command = `${limits} exec "$0" "$@"`;
	return spawnSync("sh", ["-c", command, process.execPath, childProgram(`write/${script}`), ...args], {
		encoding: "utf8",
	});
}

describe.each(Object.entries(WRITE_CASES))("%s", (name, writeCase) => {
	// In the test command one line stands for two.
	const isTried = inLong(true, !name.startsWith("append two lines"));
	test.runIf(isTried)(
		"leaves the file unchanged or complete when the process is killed before any system call",
		async () => {
			for (const kind of ["whole", "short"]) {
				// A partial line could only be left by a kill at the very moment when the disk is full, which is tested below.
				if (kind === "short" && name.startsWith("append")) continue;
				const calls = killedBefore(name, writeCase, 0, kind).calls;
				expect(calls.length).toBeGreaterThan(4);
				const outcomes = new Set<string>();
				const moments = calls.map((call, index) => ({ call, count: index + 1 }));
				// In the test command one call of each kind, and the last one; of short writes those that write.
				for (const { count } of inShort(
					moments,
					({ call }, index) =>
						(calls.indexOf(call) === index && (kind === "whole" || call === "write")) || index === calls.length - 1,
				)) {
					const { path, before, folder } = killedBefore(name, writeCase, count, kind);
					const now = contentOf(path);
					const whole = writeCase.after(before);
					expect([before, whole]).toContain(now);
					outcomes.add(now === whole ? "whole" : "before");
					const sessions = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
					expect(sessions).toEqual(now === undefined ? [] : ["session.jsonl"]);
				}
				expect([...outcomes].sort()).toEqual(["before", "whole"]);
			}
		},
	);

	test("leaves the file unchanged or complete, and nothing beside it, when any system call fails", () => {
		const counter = { calls: 0 };
		writeCase.write(
			writeCase.prepare(tempDir()),
			faultyFileSystem(() => {}, counter),
		);
		for (let fail = 1; fail <= counter.calls; fail += 1) {
			const folder = tempDir();
			const path = writeCase.prepare(folder);
			const before = contentOf(path);
			let failed = "";
			const fs = faultyFileSystem((call, count) => {
				if (count !== fail) return;
				failed = call;
				throw Object.assign(new Error("disk error"), { code: "EIO" });
			});
			const error = thrownBy(() => writeCase.write(path, fs));
			const where = `call ${fail}, ${failed}`;
			if (error === "") {
				expect(contentOf(path), where).toBe(writeCase.after(before));
			} else {
				expect(error).toMatch(/^Cannot (append to|create|migrate) the session: /);
				expect(error).toContain(`: the disk reported an error; check the disk (EIO). Path: ${path}`);
				// If closing the file fails, it is unknown whether the line is on the disk.
				if (failed !== "close") expect(contentOf(path), where).toBe(before);
			}
			// When removing the temporary file is the call that fails, it stays.
			if (failed === "unlink") continue;
			expect(
				readdirSync(folder).filter((file) => file.endsWith(".tmp")),
				where,
			).toEqual([]);
		}
	});
});

function thrownBy(action: () => void): string {
	try {
		action();
		return "";
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

function killedBefore(name: string, writeCase: WriteCase, count: number, kind: string) {
	const folder = tempDir();
	const path = writeCase.prepare(folder);
	const before = contentOf(path);
	const result = child("fault-child.ts", [name, path, String(count), kind]);
	expect([result.status, result.signal], String(result.stderr)).toEqual(count === 0 ? [0, null] : [null, "SIGKILL"]);
	return { folder, path, before, calls: (count === 0 ? JSON.parse(String(result.stdout)) : []) as string[] };
}

describe("a full disk", () => {
	test("removes the partial line and reports it; the memory still matches the file", () => {
		const path = copyOfFixture("linear-v3");
		const before = contentOf(path);
		// The file may grow by 300 bytes or less: a part of the line fits.
		const blocks = Math.floor(Buffer.byteLength(before ?? "") / 512) + 1;
		const result = child("append-child.ts", [path, "x".repeat(2000)], `ulimit -f ${blocks};`);
		expect(JSON.parse(String(result.stdout))).toEqual({
			error: `Cannot append to the session: the file would exceed the permitted file size; see \`ulimit -f\` (EFBIG). Path: ${path}`,
			leafStays: true,
			entriesStay: true,
		});
		expect(contentOf(path)).toBe(before);
	});

	test("leaves no new file behind", () => {
		const folder = tempDir();
		const path = join(folder, "new.jsonl");
		const result = child("append-child.ts", [path, "x".repeat(20_000)], "ulimit -f 4;");
		expect(JSON.parse(String(result.stdout)).error).toMatch(/^Cannot create the session: .*EFBIG.*new\.jsonl$/);
		expect(readdirSync(folder)).toEqual([]);
	});

	test("does not remove what another program appended at the same time", () => {
		const path = copyOfFixture("linear-v3");
		const before = contentOf(path);
		let writes = 0;
		const fs = shortWrites(
			faultyFileSystem((call) => {
				if (call === "write") writes += 1;
				if (call !== "write" || writes < 2) return;
				appendLines(path, ['{"type":"custom","id":"other"}']);
				throw Object.assign(new Error("full"), { code: "ENOSPC" });
			}),
		);
		expect(() => appendLines(path, ['{"type":"custom","id":"ours"}'], 0, fs)).toThrow(/a partial line was left/);
		expect(contentOf(path)).toMatch(/\n\{"type":"custom\n\{"type":"custom","id":"other"\}\n$/);
		expect(contentOf(path)?.startsWith(before ?? "-")).toBe(true);
	});
});

describe("a file that cannot be written", () => {
	test("says that permission was denied, and nothing has changed", () => {
		const folder = tempDir();
		const path = copyOfFixture("linear-v3", folder);
		const before = contentOf(path);
		const result = child("append-child.ts", [path, "hello", "unprivileged"]);
		expect(JSON.parse(String(result.stdout))).toEqual({
			error: `Cannot append to the session: permission was denied; check the owner and the mode of the file and of its directory (EACCES). Path: ${path}`,
			leafStays: true,
			entriesStay: true,
		});
		expect(contentOf(path)).toBe(before);
	});

	test("is not created again when it was deleted meanwhile", () => {
		const path = copyOfFixture("linear-v3");
		const manager = SessionManager.open(path);
		rmSync(path);
		expect(() => manager.appendSessionInfo("name")).toThrow(/it does not exist; it may have been moved or deleted/);
		expect(existsSync(path)).toBe(false);
		expect(manager.getSessionName()).toBeUndefined();
	});

	test("is not appended to when it was replaced by a shorter one, or by a directory", () => {
		const path = copyOfFixture("linear-v3");
		const manager = SessionManager.open(path);
		writeFileSync(path, readFileSync(join(fixtureDir, "header-only.jsonl")));
		expect(() => manager.appendSessionInfo("name")).toThrow(/another program has replaced it/);
		rmSync(path);
		mkdirSync(path);
		expect(() => manager.appendSessionInfo("name")).toThrow(/it is a directory/);
		expect(manager.getEntries()).toHaveLength(4);
	});

	test("is not overwritten by a new session", () => {
		const path = join(tempDir(), "taken.jsonl");
		const manager = SessionManager.open(path);
		writeFileSync(path, "somebody's notes\n");
		expect(() => manager.appendMessage({ role: "user", content: "hi", timestamp: 1 })).toThrow(
			/already exists \(EEXIST\)/,
		);
		expect(contentOf(path)).toBe("somebody's notes\n");
		expect(manager.getEntries()).toEqual([]);
	});
});

test("appends after a torn line on a new line", async () => {
	const path = copyOfFixture("torn-tail");
	const before = contentOf(path) ?? "";
	SessionManager.open(path).appendSessionInfo("after the crash");
	expect(contentOf(path)?.startsWith(`${before}\n{`)).toBe(true);
	const session = await readSession(path);
	expect(session.tree.name).toBe("after the crash");
	expect(session.diagnostics.map(({ code }) => code)).toEqual(["bad-line"]);
	expect(isDamaged(session.diagnostics)).toBe(true);
});
