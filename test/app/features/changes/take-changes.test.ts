import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHANGES_EFFECTS, type ChangesEffect } from "../../../../src/app/features/changes/effects/patch-effects.ts";
import type { TerminalProgram } from "../../../../src/app/world/effects/capabilities.ts";
import { runWith } from "../../../../src/app/world/effects/runners.ts";
import { sessionChanges } from "../../../../src/edits/session-changes.ts";
import { readSession } from "../../../../src/store/read/read-session.ts";
import { someCapabilities } from "../../../support/capabilities.ts";
import { EditingSession } from "../../../support/editing-session.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { NOW } from "../../../support/rows.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** A session of `home` that has written a file and changed it twice, in and outside of its directory; `run` runs an effect. */
async function begin() {
	const home = tempDir();
	const repository = new GitRepository(home);
	repository.commit(NOW - 1000, "Begin");
	const made = new EditingSession("01a10001-0000-7000-8000-000000000001", home, NOW);
	made.prompt("Begin");
	const first = made.write("a.txt", "one\ntwo\n");
	made.edit("a.txt", [{ oldText: "two\n", newText: "2\n" }]);
	made.write("/elsewhere/b.txt", "other\n");
	repository.put(made.disk);
	const session = await readSession(made.save(join(home, "agent")));
	const lent: { readonly program: TerminalProgram; readonly text: string }[] = [];
	const run = async (effect: ChangesEffect, env: Readonly<Record<string, string>> = {}) => {
		const terminal = {
			lend: async (program: TerminalProgram) => {
				lent.push({ program, text: readFileSync((program.args.at(-1) ?? "").replace(/:\d+$/, ""), "utf8") });
				return { code: 0 };
			},
		};
		const disk = { env: { PATH: home, ...env }, home, cwd: "/", savesTo: home };
		const action = await runWith(
			CHANGES_EFFECTS,
			effect,
			someCapabilities({ disk, terminal, store: { rows: () => [], rowOf: () => undefined } }),
		);
		return action?.type === "done" ? action.message?.text : action;
	};
	const { files } = await sessionChanges(session, { to: session.tree.leafId ?? "" }, { home, rows: [] });
	const patch = { session, isRemote: false, files, what: "the patch of 2 files", name: "begin" };
	for (const name of ["less", "vim", "hx", "code", "other"]) {
		writeFileSync(join(home, name), "#!/bin/sh\n");
		chmodSync(join(home, name), 0o755);
	}
	return { home, session, first, patch, lent, run };
}

describe("what was changed", () => {
	test("is saved as a patch, without files outside of the session's directory, which it says", async () => {
		const { home, patch, run } = await begin();
		expect(await run({ type: "take-patch", patch, to: "file" })).toMatch(
			/^Saved the patch of 2 files as ~\/begin\.patch \(\d+ B\) · without 1 file outside of ~$/,
		);
		const text = readFileSync(join(home, "begin.patch"), "utf8");
		expect(text).toBe(
			"diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+one\n+2\n",
		);
		const outside = { ...patch, files: patch.files.slice(1) };
		expect(await run({ type: "take-patch", patch: outside, to: "pager" })).toBe(
			"Nothing to take: all of it is outside of ~",
		);
		const gits = { ...patch, files: patch.files.map((file) => ({ ...file, path: join(home, ".git/config") })) };
		expect(await run({ type: "take-patch", patch: gits, to: "pager" })).toBe(
			"Nothing to take: all of it is in Git's own directory",
		);
	});

	test("is shown in the pager, and so is a file as an entry left it", async () => {
		const { home, session, first, patch, lent, run } = await begin();
		const path = join(home, "a.txt");
		expect(await run({ type: "take-patch", patch, to: "pager" })).toBeUndefined();
		expect(await run({ type: "show-file-as-of", session, path, entryId: first })).toBeUndefined();
		expect(lent.map(({ text }) => text)).toEqual([expect.stringMatching(/^diff --git /), "one\ntwo\n"]);
		expect(await run({ type: "show-file-as-of", session, path: "/other", entryId: first })).toBe(
			"/other did not exist then",
		);
		expect(await run({ type: "show-file-as-of", session, path: "/gone/gone/other", entryId: first })).toMatch(
			/^What \/gone\/gone\/other held then is not known: /,
		);
	});

	test("is opened in the editor at the line, as that editor is told it; a file that is gone is said", async () => {
		const { home, lent, run } = await begin();
		const path = join(home, "a.txt");
		rmSync(path);
		expect(await run({ type: "edit-file", path, line: 2, cwd: home })).toMatch(
			/^Cannot open ~\/a\.txt: .* “Show this file as it was here”/,
		);
		writeFileSync(path, "now\n");
		for (const EDITOR of ["vim", "hx", "code --wait", "other"])
			await run({ type: "edit-file", path, line: 2, cwd: home }, { EDITOR });
		expect(lent.map(({ program }) => program.args.slice(3).map((arg) => arg.replace(home, "~")))).toEqual([
			["+2", "~/a.txt"],
			["~/a.txt:2"],
			["-g", "~/a.txt:2"],
			["~/a.txt"],
		]);
		expect(lent[0]?.program.cwd).toBe(home);
	});
});
