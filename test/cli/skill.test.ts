import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { readArguments } from "../../src/cli/arguments/arguments.ts";
import { splitWords } from "../../src/shared/split-words.ts";
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

test("the commands of the skill, in a shell as pi gives one to its agent", () => {
	const command = join(sandbox.directory("bin"), "pi-grove");
	writeFileSync(command, `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(programPath)} "$@"\n`);
	chmodSync(command, 0o755);
	const shell = (line: string, file?: string) => {
		const env = { ...process.env, ...sandbox.env, PI_SESSION_FILE: file, PI_CODING_AGENT_SESSION_DIR: undefined };
		return spawnSync("sh", ["-c", line], { encoding: "utf8", env, cwd: sandbox.directory("work/api") });
	};
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
