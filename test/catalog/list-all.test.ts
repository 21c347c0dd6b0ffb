import {
	appendFileSync,
	chmodSync,
	linkSync,
	mkdirSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { list, listAll } from "../../src/catalog/list-all.ts";
import type { CatalogProblem } from "../../src/catalog/model/event.ts";
import { assistant, header, lines, toolResult, user } from "../support/session-builder.ts";
import { tempAgentDir } from "../support/temp-dir.ts";

const small = (cwd: string, text: string, second = 1) => lines(header({ cwd }), user("a1", null, second, text));

describe.each([false, true])("listAll, blocking: %s", (blocking) => {
	test("lists all sessions of all projects, last modified first, and the same the second time", async () => {
		const { env, cache: cacheDir, write } = tempAgentDir();
		const older = write("--work-api--/1.jsonl", small("/work/api", "first", 1));
		const newer = write("--work-site--/2.jsonl", small("/work/site", "second", 2));
		write("--work-site--/notes.txt", "no session");
		write("--work-site--/deep/3.jsonl", small("/work/site", "too deep"));
		write("4.jsonl", small("/work/site", "not in a project"));
		const rows = await listAll({ blocking, env, cacheDir });
		expect(rows.map((row) => row.path)).toEqual([newer, older]);
		expect(rows[0]).toMatchObject({ cwd: "/work/site", firstMessage: "second", messageCount: 1, diagnostics: [] });
		expect(await listAll({ blocking, env, cacheDir })).toEqual(rows);
	});

	test("reads only what was appended, and reads again what was replaced, touched or deleted", async () => {
		const { env, cache: cacheDir, write } = tempAgentDir();
		const path = write("--p--/1.jsonl", small("/p", "hello"));
		await listAll({ blocking, env, cacheDir });
		appendFileSync(path, lines(assistant("a2", "a1", 9, "hi"), toolResult("a3", "a2", 10, "out")));
		expect((await listAll({ blocking, env, cacheDir }))[0]).toMatchObject({
			messageCount: 3,
			firstMessage: "hello",
			modified: new Date("2026-01-01T00:00:09Z"),
		});
		writeFileSync(path, `${small("/p", "another")}${" ".repeat(4000)}\n`);
		expect((await listAll({ blocking, env, cacheDir }))[0]).toMatchObject({ messageCount: 1, firstMessage: "another" });
		writeFileSync(path, small("/p", "shorter"));
		utimesSync(path, 1, 1);
		expect((await listAll({ blocking, env, cacheDir }))[0]).toMatchObject({ firstMessage: "shorter" });
		rmSync(path);
		expect(await listAll({ blocking, env, cacheDir })).toEqual([]);
	});

	test("shows an unfinished line, and reads its end later", async () => {
		const { env, cache: cacheDir, write } = tempAgentDir();
		const line = user("a1", null, 3, "hello");
		const path = write("--p--/1.jsonl", `${lines(header())}${line.slice(0, 50)}`);
		const [torn] = await listAll({ blocking, env, cacheDir });
		expect(torn).toMatchObject({ messageCount: 0, diagnostics: [{ code: "torn-tail", line: 2 }] });
		appendFileSync(path, `${line.slice(50)}\n`);
		expect((await listAll({ blocking, env, cacheDir }))[0]).toMatchObject({ messageCount: 1, diagnostics: [] });
	});

	test("lists a session that several symbolic links lead to once, by its real path", async () => {
		const { env, cache: cacheDir, write, root, base } = tempAgentDir();
		const path = write("--p--/1.jsonl", small("/p", "hello"));
		symlinkSync(join(root, "--p--"), join(root, "--a-link--"));
		symlinkSync(path, join(root, "--p--", "0.jsonl"));
		mkdirSync(join(base, "elsewhere"));
		writeFileSync(join(base, "elsewhere", "2.jsonl"), small("/e", "far"));
		symlinkSync(join(base, "elsewhere"), join(root, "--e--"));
		symlinkSync(join(root, "--none--"), join(root, "--dangling--"));
		const rows = await listAll({ blocking, env, cacheDir });
		expect(rows.map((row) => row.path).sort()).toEqual([join(root, "--e--", "2.jsonl"), path]);
	});

	test("reports which listed file a second name belongs to, whichever is found first", async () => {
		const { env, cache: cacheDir, write, root, base } = tempAgentDir();
		const path = write("--p--/5.jsonl", small("/p", "hello"));
		const links = ["0.jsonl", "9.jsonl"].map((name) => join(root, "--p--", name));
		for (const link of links) symlinkSync(path, link);
		mkdirSync(join(root, "--q--"));
		const hard = join(root, "--q--", "hard.jsonl");
		linkSync(path, hard);
		// A file whose other name is outside is a session like any other.
		const alone = write("--q--/alone.jsonl", small("/q", "alone"));
		linkSync(alone, join(base, "backup.jsonl"));
		let problems: readonly CatalogProblem[] = [];
		const rows = await listAll({ blocking, env, cacheDir, onProblems: (all) => (problems = all) });
		expect(rows.map((row) => row.path).sort()).toEqual([path, alone, hard].sort());
		expect(problems.map((problem) => problem.message).sort()).toEqual(
			[
				...links.map((link) => `${link} is not listed on its own: it is a symbolic link to ${path}, which is listed.`),
				`${hard} is the same file as ${path}, under a second name (a hard link): what is written to one is in both.`,
			].sort(),
		);
	});

	test("lists damaged and foreign files with a reason", async () => {
		const { env, cache: cacheDir, write, root } = tempAgentDir();
		write("--p--/empty.jsonl", "");
		write("--p--/foreign.jsonl", "hello\n");
		write("--p--/good.jsonl", small("/p", "good"));
		symlinkSync(join(root, "--p--", "loop.jsonl"), join(root, "--p--", "loop.jsonl"));
		const problems: string[] = [];
		const rows = await listAll({
			blocking,
			env,
			cacheDir,
			onProblems: (all) => problems.splice(0, 9, ...all.map((p) => p.message)),
		});
		const codes = rows.map((row) => [row.path.split("/").at(-1), row.diagnostics.map((d) => d.code)]);
		expect(Object.fromEntries(codes)).toEqual({
			"empty.jsonl": ["empty"],
			"foreign.jsonl": ["not-a-session", "bad-line"],
			"good.jsonl": [],
		});
		expect(problems).toEqual([expect.stringMatching(/^Cannot look for sessions in .*loop\.jsonl: .*circle/)]);
	});

	test.skipIf(process.getuid?.() === 0)("names a directory that cannot be read", async () => {
		const { env, cache: cacheDir, write, root } = tempAgentDir();
		write("--p--/1.jsonl", small("/p", "hello"));
		chmodSync(join(root, "--p--"), 0);
		const problems: string[] = [];
		await listAll({ blocking, env, cacheDir, onProblems: (all) => problems.push(...all.map((p) => p.message)) });
		chmodSync(join(root, "--p--"), 0o755);
		expect(problems.join()).toMatch(/permission/);
	});

	test("reads a custom directory, and the one that the settings name", async () => {
		const { agent, base, env, cache: cacheDir } = tempAgentDir();
		const dir = join(base, "flat");
		mkdirSync(dir);
		writeFileSync(join(dir, "1.jsonl"), small("/p", "flat"));
		expect(await listAll({ blocking, env, cacheDir, sessionDir: dir })).toHaveLength(1);
		writeFileSync(join(agent, "settings.json"), JSON.stringify({ sessionDir: dir }));
		expect(await listAll({ blocking, env, cacheDir, cwd: base })).toHaveLength(1);
		writeFileSync(join(agent, "settings.json"), "{");
		const problems: string[] = [];
		expect(
			await listAll({
				blocking,
				env,
				cacheDir,
				cwd: base,
				onProblems: (all) => problems.push(...all.map((p) => p.path)),
			}),
		).toEqual([]);
		expect(problems).toContain(join(agent, "settings.json"));
	});

	test("reports progress, and stops with the signal's reason", async () => {
		const { env, cache: cacheDir, write } = tempAgentDir();
		for (let index = 0; index < 5; index++) write(`--p--/${index}.jsonl`, small("/p", "hello"));
		const progress: string[] = [];
		await listAll({ blocking, env, cacheDir, onProgress: (read, total) => progress.push(`${read}/${total}`) });
		expect(progress.at(0)).toBe("0/5");
		expect(progress.at(-1)).toBe("5/5");
		const controller = new AbortController();
		const stopped = listAll({ blocking, env, cacheDir, signal: controller.signal });
		controller.abort(new Error("enough"));
		await expect(stopped).rejects.toThrow("enough");
	});
});

test("list returns only the sessions of one project, by their header", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	write("--x-y--/1.jsonl", small("/x/y", "one"));
	write("--x-y--/2.jsonl", small("/x-y", "same directory, another project"));
	expect((await list("/x/y", { env, cacheDir })).map((row) => row.firstMessage)).toEqual(["one"]);
});
