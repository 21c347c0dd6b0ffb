import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { branchSession, forkSession, renameSession } from "../../../src/store/actions/session-actions.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { copyOfFixture } from "../../support/fixture.ts";
import { tempDir } from "../../support/temp-dir.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("who may read a session may read what is made of it, and nobody else", () => {
	test.each([0o600, 0o640, 0o644, 0o666, 0o400])("mode %o", (mode) => {
		const copied = mode | 0o600;
		const path = copyOfFixture("branches");
		chmodSync(path, mode);
		const before = readFileSync(path, "utf8");
		expect(modeOf(forkSession(path, "/home/ada", tempDir()))).toBe(copied);
		expect(modeOf(branchSession(path, "c1000003"))).toBe(copied);
		// Without a message pi makes no file, and the action does.
		const all = copyOfFixture("every-entry-type");
		chmodSync(all, mode);
		expect(modeOf(branchSession(all, "b1000002"))).toBe(copied);
		const manager = SessionManager.open(path);
		manager.createBranchedSession("c1000003");
		expect(modeOf(manager.getSessionFile() ?? "")).toBe(copied);
		expect(readFileSync(path, "utf8")).toBe(before);

		const old = copyOfFixture("v1");
		chmodSync(old, mode);
		renameSession(old, "name");
		expect(modeOf(old)).toBe(mode);
	});

	test("a session that is not a copy gets the mode that the umask leaves, as in pi", () => {
		const before = process.umask(0o027);
		try {
			const manager = SessionManager.create("/home/ada", tempDir());
			manager.appendMessage({ role: "user", content: "hello", timestamp: 1 });
			const path = manager.getSessionFile() ?? "";
			expect(existsSync(path)).toBe(true);
			expect(modeOf(path)).toBe(0o640);
		} finally {
			process.umask(before);
		}
	});
});
