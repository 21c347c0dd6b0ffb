import { spawnSync } from "node:child_process";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { roleOf } from "../../src/conversation/entries/entry-kind.ts";
import { knownFiles } from "../../src/edits/files-at.ts";
import { sessionChanges } from "../../src/edits/session-changes.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const directory = tempDirOfFile();

/** What only reads, and what changes files. */
const READING = [
	"cat a.ts | head -3 2>/dev/null",
	"ls -la . && wc -l < b.ts",
	"grep -n line *.ts | sort | uniq -c; sed -n '1,2p' a.ts",
	"find . -name '*.ts' | xargs wc -l",
	"awk 'NR > 1 {print $2}' b.ts",
];
const CHANGING = [
	"sed -i 1d a.ts",
	"echo more >> b.ts",
	"rm -f a.ts",
	"cp a.ts dir/c.ts",
	"find . -name b.ts -delete",
	"sort -o a.ts a.ts",
	"cat a.ts b.ts > dir/c.ts",
];
/** What names the files that it changes. */
const NAMING = [
	...CHANGING.filter((command) => !/^(?:find|sort)/.test(command)),
	...[
		"rm a.ts",
		"rm b.ts dir/c.ts",
		"rm -rf dir",
		"rm -f a.ts/",
		"rm -r dir/ a.ts",
		"rm -rf .",
		"rm dir",
		"rm -f none.ts b.ts",
	],
	...[
		"mv a.ts b.ts",
		"mv b.ts dir",
		"mv a.ts dir/",
		"mv dir/c.ts .",
		"mv -n a.ts b.ts",
		"mv dir other",
		"mv other dir",
		"mv -u a.ts b.ts dir",
	],
	...[
		"cp a.ts b.ts",
		"cp a.ts dir",
		"cp -r dir other",
		"cp -r dir dir/sub",
		"cp -r other/. .",
		"cp dir/* .",
		"mkdir dir/b.ts; cp dir/c.ts a.ts dir",
	],
	...[
		"touch a.ts dir/a.ts",
		"chmod -w a.ts",
		"mkdir -p dir a.ts",
		"rmdir dir",
		"cd dir && rm c.ts",
		"cd none; rm a.ts",
		"cd none && rm a.ts",
	],
	...[
		"cd dir; rm a.ts",
		"cd dir && cp ../a.ts . && cd .. && rm -f b.ts",
		"cd dir && cd none; echo x > a.ts",
		"cd dir | rm a.ts",
	],
	...[
		"sed -i 's/line/row/;$d' a.ts",
		"sed -i.ts 2d b",
		"sed -i '1i\\\nnew' dir/c.ts",
		"sed -n 's/line/x/w b.ts' a.ts",
		"sed -i -e 2d a.ts b.ts",
	],
	...[
		"cat > b.ts <<'EOF'\nrm a.ts\nEOF",
		"cat a.ts <<EOF | tee dir/a.ts\nx\nEOF\nrm a.ts",
		"cat <<EOF >> a.ts\n$(rm b.ts)\nEOF",
	],
	...[
		"true || rm a.ts",
		"false || rm a.ts",
		"false; rm b.ts",
		"test -f a.ts && rm a.ts",
		"! rm a.ts",
		"if false\nthen\nrm a.ts\nfi",
	],
	...[
		"exit 0 && rm a.ts",
		"rm a.ts > b.ts",
		"rm a.ts 2> a.ts",
		"rm a.ts | cat",
		"ls | rm -f a.ts",
		"f=a.ts; rm $f",
		"rm *.ts",
		"rm -f [a].ts 'b.ts'",
	],
	...[
		"git checkout -- a.ts",
		"git checkout HEAD -- dir",
		"git restore b.ts",
		"git restore --staged .",
		"git add a.ts",
		"git add -A && git restore .",
	],
	...[
		"git rm -q a.ts",
		"git rm -rqf dir",
		"git rm -q --cached b.ts",
		"git mv a.ts b.ts",
		"git mv b.ts dir",
		"git reset -q",
		"git checkout -q -f -- .",
	],
	"git checkout -- '*.ts'",
];

const NAMES = ["a.ts", "b.ts", "dir/c.ts", "dir/a.ts"];
type Op = { readonly kind: string; readonly a: number; readonly b: number };
const op: fc.Arbitrary<Op> = fc.record({
	kind: fc.constantFrom(
		...["edit", "edit", "edit", "edit", "write", "write", "read", "read", "part", "fail", "open", "prompt"],
		...["jump", "restore", "look", "look", "bash", "name", "name", "name", "shell"],
	),
	a: fc.nat(1000),
	b: fc.nat(1000),
});

function removeAll(cwd: string): void {
	if (!existsSync(cwd)) return;
	for (const name of readdirSync(cwd)) if (name !== ".git") rmSync(join(cwd, name), { recursive: true, force: true });
}

/** What the last command said of its errors: of a directory, for example, that is not there. */
let complaint = "";

/** Runs a command in a real directory with these files, and reads them back; returns whether it failed. */
function runInShell(command: string, cwd: string, disk: Map<string, string>): boolean {
	removeAll(cwd);
	mkdirSync(join(cwd, "dir"), { recursive: true });
	for (const [path, text] of disk) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	const { status, stderr } = spawnSync("bash", ["-c", command], { cwd, encoding: "utf8" });
	complaint = stderr;
	disk.clear();
	for (const path of NAMES.map((name) => join(cwd, name)))
		if (statSync(path, { throwIfNoEntry: false })?.isFile()) disk.set(path, readFileSync(path, "utf8"));
	return status !== 0;
}

/** Makes a repository with a commit of the first files, where there is none; its index is as it was then. */
function prepareGit(cwd: string): void {
	const index = join(cwd, ".git/index");
	if (!existsSync(index)) {
		const repository = new GitRepository(cwd);
		repository.put(new Map(NAMES.map((name, at) => [join(cwd, name), textOf(at)])));
		repository.commit(Date.UTC(2026, 0, 1), "first");
		copyFileSync(index, `${index}.first`);
	}
	copyFileSync(`${index}.first`, index);
}

const JOINS = ["; ", " && ", " || ", "\n", " | ", " && "];

/** Carries out the possible steps of a plan. */
function carryOut(ops: readonly Op[], withCommands: boolean): EditingSession {
	const cwd = join(directory, withCommands ? "repository" : "disk");
	const one = new EditingSession("01a10000-0000-7000-8000-00000000aaaa", cwd, Date.UTC(2026, 0, 1));
	// As it is committed, where there is a repository.
	for (const [index, name] of NAMES.slice(0, withCommands ? 4 : 2).entries())
		one.disk.set(join(cwd, name), textOf(index));
	one.prompt("Go");
	if (withCommands) prepareGit(cwd);
	let fresh = 0;
	for (const { kind, a, b } of ops) {
		const name = NAMES[b % 7 === 0 ? 2 + (a % 2) : a % 2] ?? "";
		const text = one.disk.get(join(cwd, name));
		const lines = (text ?? "").split("\n");
		const at = a % Math.max(1, lines.length - 1);
		const oldText = lines.slice(at, at + 1 + (b % 2)).join("\n");
		const isThere = oldText !== "" && text?.split(oldText).length === 2;
		const edits = [{ oldText, newText: b % 5 === 0 ? "" : `n${b % 4 === 0 ? b % 7 : `w${fresh++}`}\n${oldText}` }];
		const ids = [...one.held.keys()];
		const target = ids[a % ids.length] ?? null;
		const shell = (commands: readonly string[]): string => commands[a % commands.length] ?? "";
		if (kind === "write") one.write(name, textOf(b));
		else if (kind === "read") one.read(name);
		else if (kind === "part" && lines.length > 2) one.read(name, [1 + (a % 2), 2 + (a % (lines.length - 2))]);
		else if (kind === "prompt") one.prompt("Go on");
		else if (kind === "fail") one.edit(name, [{ oldText: "not there", newText: "x" }], { fails: true });
		else if (kind === "edit" && isThere) one.edit(name, edits, { plain: b % 3 === 0 });
		else if (kind === "open" && isThere) one.edit(name, edits, { unanswered: true, done: b % 2 === 0 });
		else if (kind === "look") one.bash(shell(READING), (disk) => runInShell(shell(READING), cwd, disk));
		else if (/^(?:bash|name|shell)$/.test(kind) && withCommands) {
			const [first, second] =
				kind === "bash" ? [shell(CHANGING), ""] : [shell(NAMING), NAMING[b % NAMING.length] ?? ""];
			const line = b % 3 === 0 && second !== "" ? `${first}${JOINS[b % JOINS.length]}${second}` : first;
			const run = (disk: Map<string, string>): boolean => runInShell(line, cwd, disk);
			const output = (): string => complaint;
			if (kind === "shell") one.shell(line, run, output);
			else one.bash(line, run, output, { unanswered: b % 11 === 0, done: b % 2 === 0 });
		} else if (kind === "jump" || kind === "restore") {
			one.leaf = target;
			if (kind === "restore" && target !== null) {
				one.disk.clear();
				for (const [path, held] of one.held.get(target) ?? []) one.disk.set(path, held);
			}
			// On another branch something is said first: going back at once leaves no trace in the file.
			one.prompt("Another way");
		}
	}
	return one;
}

function textOf(seed: number): string {
	return Array.from({ length: 2 + (seed % 12) }, (_, index) => `line ${(seed * 7 + index) % 17}\n`).join("");
}

test.each([true, false])(
	"whatever is done on a real disk, an exact answer is what each file held at each entry (commands: %s)",
	async (withCommands) => {
		const seen = { exact: 0, likely: 0, unknown: 0, changes: 0 };
		await fc.assert(
			fc.asyncProperty(fc.array(op, { minLength: 5, maxLength: 30 }), async (ops) => {
				const one = carryOut(ops, withCommands);
				const path = join(directory, "session.jsonl");
				writeFileSync(path, one.text);
				removeAll(one.cwd);
				one.putDisk();
				const session = await readSession(path);
				const options = { home: "/home/x", rows: [] };
				// When a call is written, it has not yet run.
				const ids = session.entries.filter((entry) => roleOf(entry) !== "assistant").map(({ id }) => id);
				const asked = ids.flatMap((entryId) => NAMES.map((name) => ({ path: join(one.cwd, name), session, entryId })));
				for (const { entryId, path: file, known } of await knownFiles(() => asked, session, options)) {
					seen[known.answer]++;
					const truth = one.held.get(entryId)?.get(file);
					if (known.answer === "exact")
						expect([entryId, known.text, known.isAbsent]).toEqual([entryId, truth, truth === undefined]);
				}
				const { files } = await sessionChanges(session, { to: ids.at(-1) ?? "" }, options);
				for (const { path: file, answer, after } of files) {
					if (answer !== "exact" || !NAMES.some((name) => file === join(one.cwd, name))) continue;
					seen.changes++;
					expect([file, after]).toEqual([file, one.held.get(ids.at(-1) ?? "")?.get(file)]);
				}
			}),
			{ numRuns: caseCount(15, 100), seed: FIRST_SEED, endOnFailure: true },
		);
		expect(Math.min(...Object.values(seen))).toBeGreaterThan(2);
	},
);
