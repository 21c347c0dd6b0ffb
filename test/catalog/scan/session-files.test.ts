import { spawnSync } from "node:child_process";
import {
	appendFileSync,
	chmodSync,
	linkSync,
	lstatSync,
	mkdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { SessionRoots } from "../../../src/catalog/model/session-roots.ts";
import { isUnchanged, type ScanStamp } from "../../../src/catalog/scan/scan-stamp.ts";
import { findSessionFiles } from "../../../src/catalog/scan/session-files.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

type Folder = ReturnType<typeof tempAgentDir>;

/** As pi names a session, without its extension. */
const NAMED = "2026-01-01T00-00-00-000Z_a";

/** How the files that are found differ from those that are known, and whether something is reported of them. */
type Said = "same" | "changed" | "reported";

function compare(sessionRoots: SessionRoots, known: ReadonlyMap<string, ScanStamp>): Said {
	const { files, problems, unsure } = runToEnd(findSessionFiles(sessionRoots, known));
	if (problems.length + unsure.size > 0) return "reported";
	const isSame = files.length === known.size && files.every((file) => isUnchanged(known.get(file.path), file));
	return isSame ? "same" : "changed";
}

/** What is done to three sessions in two directories and one in the archive, and how the files found then differ. */
const DONE: readonly (readonly [name: string, said: Said, change: (folder: Folder, archive: string) => void])[] = [
	["nothing", "same", () => undefined],
	[
		"a file that is no session, beside them and above",
		"same",
		({ write }) => {
			write("a/x.txt", "");
			write("y.jsonl", "");
		},
	],
	["a session below their directories", "same", ({ write }) => write("a/deep/x.jsonl", "")],
	[
		"what runs of subagents leave behind, and other directories",
		"same",
		({ write }) => {
			for (const path of [
				"a/1/r/run-0/events.jsonl",
				"a/subagent-artifacts/x.jsonl",
				"a/1/r/session.jsonl",
				"a/x/forks/x.jsonl",
			])
				write(path, "");
		},
	],
	["a run", "changed", ({ write }) => write("a/1/r/run-0/session.jsonl", "run")],
	["a run in the background", "changed", ({ write }) => write(`a/1/r/async-b/${NAMED}.jsonl`, "run")],
	["a run that began as a fork", "changed", ({ write }) => write("a/1/forks/7.jsonl", "run")],
	["a run of a run", "changed", ({ write }) => write("a/1/r/run-0/session/r/run-1/session.jsonl", "run")],
	[
		"a run of a run that began as a fork",
		"changed",
		({ write }) => write(`a/1/forks/${NAMED}/r/run-1/session.jsonl`, "run"),
	],
	["a run of a session that is gone", "changed", ({ write }) => write(`a/${NAMED}/r/run-0/session.jsonl`, "run")],
	[
		"a run of a session with a name of a person's that is gone",
		"changed",
		({ write }) => write("a/my-notes/0199aaaa/run-0/session.jsonl", "run"),
	],
	[
		"a fork of a session with a name of a person's that is gone",
		"changed",
		({ write }) => write(`a/my-notes/forks/${NAMED}.jsonl`, "run"),
	],
	[
		"one of several agents of a run in the background",
		"changed",
		({ write }) => write(`a/1/r/async-b/parallel-2/${NAMED}.jsonl`, "run"),
	],
	["a run in a directory for runs", "changed", ({ write }) => write("runs/r/run-0/session.jsonl", "run")],
	["an empty directory", "same", ({ root }) => mkdirSync(join(root, "empty"))],
	["one is appended to", "changed", ({ root }) => appendFileSync(join(root, "a/1.jsonl"), "more")],
	[
		"one is replaced by another of its size",
		"changed",
		({ root }) => {
			writeFileSync(join(root, "new"), "1");
			renameSync(join(root, "new"), join(root, "a/1.jsonl"));
		},
	],
	["one is touched", "changed", ({ root }) => utimesSync(join(root, "b/3.jsonl"), 1, 1)],
	["a new one", "changed", ({ write }) => write("b/4.jsonl", "4")],
	["a new one in a new directory", "changed", ({ write }) => write("c/4.jsonl", "4")],
	["one is gone", "changed", ({ root }) => rmSync(join(root, "b/3.jsonl"))],
	["a directory is gone", "changed", ({ root }) => rmSync(join(root, "a"), { recursive: true })],
	["one is renamed", "changed", ({ root }) => renameSync(join(root, "a/1.jsonl"), join(root, "a/0.jsonl"))],
	[
		"one is archived",
		"changed",
		({ root }, archive) => renameSync(join(root, "a/1.jsonl"), join(archive, "a/1.jsonl")),
	],
	["one in the archive is gone", "changed", (_, archive) => rmSync(join(archive, "a/5.jsonl"))],
	["a second name of one", "reported", ({ root }) => linkSync(join(root, "a/1.jsonl"), join(root, "b/1.jsonl"))],
	["a link to one", "reported", ({ root }) => symlinkSync(join(root, "a/1.jsonl"), join(root, "a/0.jsonl"))],
	["a broken link", "reported", ({ root }) => symlinkSync(join(root, "none"), join(root, "a/0.jsonl"))],
	["a link to a directory", "same", ({ root }) => symlinkSync(join(root, "a"), join(root, "0"))],
	[
		"one moved away, with a link in its place",
		"changed",
		({ root, base }) => {
			renameSync(join(root, "a/1.jsonl"), join(base, "1.jsonl"));
			symlinkSync(join(base, "1.jsonl"), join(root, "a/1.jsonl"));
		},
	],
	["a directory with the name of a session", "reported", ({ root }) => mkdirSync(join(root, "a/0.jsonl"))],
	["a pipe with the name of a session", "reported", ({ root }) => spawnSync("mkfifo", [join(root, "a/0.jsonl")])],
	[
		"a directory with a name that is not UTF-8",
		"reported",
		({ root }) => mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])])),
	],
	[
		"an archive that is the root",
		"changed",
		({ root }, archive) => {
			rmSync(archive, { recursive: true });
			symlinkSync(root, archive);
		},
	],
	["no root", "changed", ({ root }) => rmSync(root, { recursive: true })],
];

test.each(DONE)("sessions are found where they are: %s: %s", (_, said, change) => {
	const folder = tempAgentDir();
	const archive = join(folder.agent, "session-archive");
	for (const name of ["a/1", "a/2", "b/3"]) folder.write(`${name}.jsonl`, name.slice(2));
	mkdirSync(join(archive, "a"), { recursive: true });
	writeFileSync(join(archive, "a/5.jsonl"), "5");
	const known = stampsIn(folder.sessionRoots);
	expect(known.size).toBe(4);
	change(folder, archive);
	expect(compare(folder.sessionRoots, known)).toBe(said);
});

test.skipIf(process.getuid?.() === 0)("a directory that cannot be read is reported", () => {
	const { root, sessionRoots, write } = tempAgentDir();
	write("a/1.jsonl", "1");
	const known = stampsIn(sessionRoots);
	chmodSync(join(root, "a"), 0);
	expect(compare(sessionRoots, known)).toBe("reported");
	chmodSync(join(root, "a"), 0o700);
});

test("a custom directory is compared without the directories in it, except the archive", () => {
	const { root, agent, write } = tempAgentDir();
	const sessionRoots = { kind: "custom", dir: root, agentDir: agent, problems: [] } as const;
	write("1.jsonl", "1");
	write("session-archive/2.jsonl", "2");
	const known = stampsIn(sessionRoots);
	expect(known.size).toBe(2);
	write("a/3.jsonl", "3");
	expect(compare(sessionRoots, known)).toBe("same");
	write("session-archive/4.jsonl", "4");
	expect(compare(sessionRoots, known)).toBe("changed");
});

/** What is done in a directory that is configured for runs, with one run in it, and what the comparison says then. */
const DONE_FOR_RUNS: readonly (readonly [name: string, said: Said, path: string])[] = [
	["nothing", "same", "sub/x.txt"],
	["any other file of this kind", "same", "sub/data.jsonl"],
	["such a file in the directory of a run", "same", "sub/r/data.jsonl"],
	["another run", "changed", "sub/r/run-1/session.jsonl"],
	["a run of the run", "changed", "sub/r/run-0/session/s/run-0/session.jsonl"],
	["a session there", "changed", `sub/${NAMED}.jsonl`],
	["a session in the directory of its parent", "changed", `sub/p/${NAMED}.jsonl`],
];

test.each(DONE_FOR_RUNS)("in a directory that is configured for runs: %s: %s", (_, said, path) => {
	const folder = tempAgentDir();
	for (const runDir of [join(folder.base, "sub"), join(folder.root, "sub"), folder.root]) {
		const sessionRoots = { ...folder.sessionRoots, runDirs: [runDir] };
		const at = (name: string): string => {
			const file = join(runDir, name.replace(/^sub\//, ""));
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, "x");
			return file;
		};
		folder.write("a/1.jsonl", "1");
		const known = stampsIn(sessionRoots);
		at("r/run-0/session.jsonl");
		const more = stampsIn(sessionRoots);
		expect(more.size).toBe(known.size + 1);
		expect(compare(sessionRoots, known)).toBe("changed");
		expect(compare(sessionRoots, more)).toBe("same");
		const file = at(path);
		// Inside of the session directory a directory for runs is also one for the sessions of a project.
		const isProject = runDir !== join(folder.base, "sub") && path.endsWith("data.jsonl");
		if (!isProject) expect([runDir, compare(sessionRoots, more)]).toEqual([runDir, said]);
		rmSync(file);
	}
});

test("a known session elsewhere is compared, too, and found again", () => {
	const folder = tempAgentDir();
	folder.write("a/1.jsonl", "1");
	const path = join(folder.base, "deep/run.jsonl");
	mkdirSync(dirname(path));
	writeFileSync(path, '{"type":"session","id":"x"}\n');
	const known = new Map<string, ScanStamp>([...stampsIn(folder.sessionRoots), [path, lstatSync(path)]]);
	expect(compare(folder.sessionRoots, known)).toBe("same");
	const paths = () => runToEnd(findSessionFiles(folder.sessionRoots, known)).files.map((file) => file.path);
	expect(paths()).toContain(path);
	appendFileSync(path, "more");
	expect(compare(folder.sessionRoots, known)).toBe("changed");
	expect(paths()).toContain(path);
	rmSync(path);
	expect(compare(folder.sessionRoots, known)).toBe("changed");
	expect(paths()).not.toContain(path);
});

function stampsIn(sessionRoots: SessionRoots) {
	return new Map(runToEnd(findSessionFiles(sessionRoots)).files.map((file) => [file.path, file]));
}
