import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LINUX, MACOS, WINDOWS } from "../../../src/shared/system.ts";
import { whileBusy, whileBusySync } from "../../../src/store/files/while-busy.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Called instead of a rename: fails some times as Windows does, then renames. */
function busyFor(times: number, code: string) {
	const directory = tempDir();
	const [from, to] = [join(directory, "new"), join(directory, "old")];
	writeFileSync(from, "new");
	writeFileSync(to, "old");
	const calls: number[] = [];
	const fail = (): void => {
		calls.push(performance.now());
		if (calls.length <= times) throw Object.assign(new Error(`${code}: rename`), { code });
	};
	return {
		calls,
		text: () => readFileSync(to, "utf8"),
		async rename() {
			fail();
			await rename(from, to);
		},
		renameSync() {
			fail();
			renameSync(from, to);
		},
	};
}

describe.each(["EPERM", "EBUSY", "EACCES"])("a rename that Windows refuses with %s", (code) => {
	test("is made again, with growing pauses", async () => {
		for (const isSync of [false, true]) {
			const busy = busyFor(3, code);
			if (isSync) whileBusySync(busy.renameSync, WINDOWS);
			else await whileBusy(busy.rename, WINDOWS);
			expect(busy.text()).toBe("new");
			const [first = 0, second = 0, third = 0] = busy.calls.slice(1).map((at, index) => at - (busy.calls[index] ?? 0));
			expect(busy.calls).toHaveLength(4);
			// A timer may be early by a part of a millisecond.
			expect([first, second, third].map((pause, index) => pause > 9 * 2 ** index)).toEqual([true, true, true]);
		}
	});

	test("is an error at once on other systems", async () => {
		for (const system of [LINUX, MACOS]) {
			const busy = busyFor(1, code);
			await expect(whileBusy(busy.rename, system)).rejects.toMatchObject({ code });
			expect(() => whileBusySync(busyFor(1, code).renameSync, system)).toThrow(code);
			expect([busy.calls.length, busy.text()]).toEqual([1, "old"]);
		}
	});
});

test("what stays busy is the error of the call after two seconds", async () => {
	const busy = busyFor(Number.POSITIVE_INFINITY, "EBUSY");
	await expect(whileBusy(busy.rename, WINDOWS)).rejects.toMatchObject({ code: "EBUSY" });
	const [first = 0, last = 0] = [busy.calls[0], busy.calls.at(-1)];
	expect(last - first).toBeGreaterThan(1950);
	expect(busy.calls).toHaveLength(9);
});

test("any other error is not waited for", async () => {
	const busy = busyFor(1, "ENOENT");
	await expect(whileBusy(busy.rename, WINDOWS)).rejects.toMatchObject({ code: "ENOENT" });
	expect(busy.calls).toHaveLength(1);
});
