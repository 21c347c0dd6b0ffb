import { readFileSync, statSync, writeFileSync } from "node:fs";
import { type AttackCase, attack } from "../support/attack.ts";
import { inLong } from "../support/cases.ts";
import { withThreeSessions } from "../support/kept-content.ts";
import { mutateSession } from "../support/mutate-session.ts";
import { NO_FILES, ownFiles, replaceFile } from "../support/own-files.ts";
import { runSoundly } from "../support/sound-output.ts";

/** Makes the files that we keep: an index, a journal, marks, notes. */
const USE: readonly (readonly string[])[] = [
	["list"],
	["rename", "S", "a name", "--yes"],
	["label", "S#00010001", "here", "--yes"],
	["fork", "S", "--yes"],
	["undo", "--yes"],
];

const COMMANDS: readonly (readonly string[])[] = [
	["list", "--json"],
	["history"],
	["undo", "--yes"],
	["rename", "S", "another", "--yes"],
	["search", "the"],
	["tidy"],
	["stats"],
	["restore"],
	["doctor"],
	["prompts"],
	["standup"],
	["blame", "S"],
	["export", "S", "--html"],
	["delete", "S", "--yes"],
	["undo", "--yes"],
	["completions", "sessions"],
];

/** Commands of one case. */
const AT_ONCE = inLong(8, 2);

const JUNK = [
	"",
	"{",
	"null",
	"[]",
	"5",
	'"x"',
	'{"__proto__":{"path":1},"constructor":2}',
	'{"path":"../../../../etc/passwd","pid":1,"startedMs":0,"host":5,"mark":{}}',
	'{"pid":-1,"path":null,"startedMs":1e300}',
	`${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`,
	"\0".repeat(4096),
	"{}\n{}\n",
	'{"a":',
	"\ufeff{}",
	"x".repeat(1 << 20),
];

/** Puts something else in the place of a file. */
const DAMAGES: readonly ((path: string, one: AttackCase) => void)[] = [
	(path, { pick }) => writeFileSync(path, pick(JUNK)),
	(path, { pick }) => writeFileSync(path, `${pick(JUNK)}\n`, { flag: "a" }),
	(path, { random }) => writeFileSync(path, mutateSession(readFileSync(path, "latin1"), random), "latin1"),
	(path, { below }) => writeFileSync(path, readFileSync(path).subarray(0, below(statSync(path).size + 1))),
	(path, { below }) => {
		const bytes = readFileSync(path);
		for (let count = 0; count < 20 && bytes.length > 0; count++) bytes[below(bytes.length)] = below(256);
		writeFileSync(path, bytes);
	},
	...Object.values(NO_FILES).map((make) => (path: string) => replaceFile(path, make)),
];

attack("files of ours that hold anything: sessions are listed and changed all the same, none is lost", 1, (one) =>
	withThreeSessions(async ({ sandbox, paths, expectNothingLost }) => {
		const withPath = (args: readonly string[]) => args.map((arg) => arg.replace(/^S/, paths[0] ?? ""));
		for (const args of USE) runSoundly(sandbox, withPath(args));
		const targets = [...ownFiles(sandbox)];
		for (let count = 1 + one.below(3); count > 0; count--) {
			const path = targets.splice(one.below(targets.length), 1)[0];
			if (path !== undefined) one.pick(DAMAGES)(path, one);
		}
		for (let count = 0; count < AT_ONCE; count++) runSoundly(sandbox, withPath(one.pick(COMMANDS)));
		const terminal = sandbox.start();
		await terminal.waitFor(/\d sessions/);
		terminal.press("down", "right", "left", "ctrl+c");
		await terminal.exit();
		expectNothingLost();
		return AT_ONCE + 1;
	}),
);
