import { spawnSync } from "node:child_process";
import { isAbsolute, join } from "node:path";
import { expect, test } from "vitest";
import { BLAME_EFFECTS } from "../../../../src/app/features/blame/effects/blame-effects.ts";
import type { TerminalProgram } from "../../../../src/app/world/effects/capabilities.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { NOW } from "../../../support/rows.ts";
import { tempDir } from "../../../support/temp-dir.ts";

test("a commit is shown by Git in its directory, and its pager stays open for a short one, as the person has set it", async () => {
	const git = new GitRepository(tempDir());
	git.put(new Map([[join(git.path, "a.txt"), "one\n"]]));
	const hash = git.commit(NOW, "First");
	const lent: TerminalProgram[] = [];
	const show = async (env: NodeJS.ProcessEnv) => {
		const disk = { env: { ...process.env, ...env } };
		const lend = async (program: TerminalProgram) => {
			lent.push(program);
			return { code: 0 };
		};
		const tools = { disk, terminal: { lend } } as unknown as Parameters<(typeof BLAME_EFFECTS)["show-commit"]>[1];
		return BLAME_EFFECTS["show-commit"]({ type: "show-commit", repository: git.path, hash }, tools);
	};
	await show({ LESS: undefined, PAGER: "cat" });
	await show({ LESS: "-S", PAGER: "cat" });
	expect(lent.map(({ env }) => env?.LESS)).toEqual(["R", "-S"]);
	const { command, args, cwd, env } = lent[0] ?? { command: "", args: [], cwd: "" };
	expect(isAbsolute(command)).toBe(true);
	expect(spawnSync(command, args, { cwd, env: { ...env }, encoding: "utf8" }).stdout).toMatch(/First[\s\S]*\+one/);
	await expect(show({ PATH: tempDir() })).resolves.toMatchObject({
		message: { text: 'Cannot open the commit: there is no program "git" on the PATH' },
	});
});
