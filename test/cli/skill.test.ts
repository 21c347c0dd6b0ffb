import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { readArguments } from "../../src/cli/arguments/arguments.ts";
import { splitWords } from "../../src/shared/split-words.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { run } from "../support/run.ts";
import { programPath, Sandbox, threeSessions } from "../support/sandbox.ts";

const NAME = "session-history";
const root = join(import.meta.dirname, "..", "..");
const skill = readFileSync(join(root, "skills", NAME, "SKILL.md"), "utf8");
const sandbox = new Sandbox();
const sessions = threeSessions(sandbox);
afterAll(() => sandbox.remove());

test("the package has the skill, with the front matter that pi demands", () => {
	expect(packageFile.pi.skills).toEqual(["./skills"]);
	expect(packageFile.files).toContain("skills");
	const [, name, description = ""] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(skill) ?? [];
	expect(name).toBe(NAME);
	expect(description.length).toBeGreaterThan(100);
	expect(description.length).toBeLessThanOrEqual(1024);
});

const inText = [...skill.matchAll(/`(pi-grove [a-z][^`\n]*)`/g)].map(([, line = ""]) => line);
const inBlocks = [...skill.matchAll(/```sh\n(.*)\n```/g)].map(([, line = ""]) => line);

test.each([...inText, ...inBlocks])("the program knows what the skill has the agent run: %s", (line) => {
	const split = splitWords(line.replace(/\$\{.*?\} /, "--except x "));
	const words = "words" in split ? split.words : [];
	expect(words.length).toBeGreaterThan(1);
	expect(readArguments(words.slice(1))).toMatchObject({ kind: "command" });
});

/** Runs a line in a shell as pi gives one to its agent. */
function shell(line: string, file?: string) {
	const command = join(sandbox.directory("bin"), "pi-grove");
	writeFileSync(command, `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(programPath)} "$@"\n`);
	chmodSync(command, 0o755);
	const env = { ...process.env, ...sandbox.env, PI_SESSION_FILE: file, PI_CODING_AGENT_SESSION_DIR: undefined };
	return spawnSync("sh", ["-c", line], { encoding: "utf8", env, cwd: sandbox.directory("work/api") });
}

test("the commands of the skill that search and read", () => {
	const [search = "", show = ""] = inBlocks;
	const found = search.replace(/-- '.*'$/, "-- parser");
	expect(found).not.toBe(search);
	const [result] = JSON.parse(shell(found).stdout);
	expect(result).toMatchObject({ id: "session-0001", title: "Refactor the parser", active: true });
	expect(Date.now() - Date.parse(result.modified)).toBeLessThan(7_200_000);
	expect(shell(found, sessions.parser)).toMatchObject({ status: 1, stdout: "[]\n" });
	const read = show.replace(/-- .*$/, `-- '${result.id}#${result.entryId}'`);
	expect(shell(read)).toMatchObject({ status: 0, stdout: expect.stringContaining("Refactor the parser") });
});

test("the commands of the skill for what was changed, by whom, and how the files were", () => {
	const git = new GitRepository(sandbox.directory("work/web"));
	const disk = new Map([[git.file("src/parser.ts"), "one\ntwo\nthree\n"]]);
	git.put(disk);
	git.commit(Date.now() - 7_200_000, "Begin");
	const id = "01a1ff89-0000-7000-8000-000000000001";
	const session = new EditingSession(id, git.path, Date.now() - 3_600_000, disk);
	session.prompt("Parse faster");
	session.read("src/parser.ts");
	session.edit("src/parser.ts", [{ oldText: "two", newText: "a line that nobody else would write" }]);
	const entry = session.leaf ?? "";
	session.save(sandbox.agentDir);
	git.put(disk);
	const outputOf = (start: string): string => {
		const line = inText.find((one) => one.startsWith(`pi-grove ${start}`)) ?? "";
		const filled = line
			.replace("ENTRYID", entry)
			.replace(/\bID\b/, id)
			.replace(":120-124", ":2");
		const split = splitWords(filled);
		const words = "words" in split ? split.words : [];
		const { code, out } = run(sandbox, words.slice(1), { PI_SESSION_FILE: undefined }, git.path);
		expect([line, code]).toEqual([line, 0]);
		return out;
	};
	expect(JSON.parse(outputOf("files"))).toMatchObject([{ path: git.file("src/parser.ts"), edits: 1 }]);
	expect(outputOf("diff --stat")).toBe(`${git.file("src/parser.ts")}\t1\t1\texact\t1\n`);
	for (const start of ["diff ID src", "diff --turn"])
		expect(outputOf(start)).toContain("+a line that nobody else would write");
	expect(JSON.parse(outputOf("blame"))).toMatchObject([{ answer: "exact", edits: [{ id }] }]);
	expect(outputOf("checkout")).toMatch(/^exact\tsrc\/parser\.ts\t/);
	expect(outputOf(`show ID#ENTRYID --file`)).toBe("one\na line that nobody else would write\nthree\n");
	expect(readdirSync(sandbox.directory("work"))).toEqual(["api", "site", "web"]);
});
