import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compareFiles } from "../../../src/catalog/scan/compare-files.ts";
import { bootId, isExact } from "../../../src/catalog/scan/exact-times.ts";
import { KnownDirectories } from "../../../src/catalog/scan/known-directories.ts";
import { listingOf } from "../../../src/catalog/scan/listing.ts";
import { findSessionFiles } from "../../../src/catalog/scan/session-files.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

type Folder = ReturnType<typeof tempAgentDir>;

/** As pi names a session, without its extension. */
const NAMED = "2026-01-01T00-00-00-000Z_a";
const A_MINUTE_LATER = (): number => Date.now() + 60_000;

/** Elsewhere every directory is read, which the other tests of the search hold. */
const canKnow = bootId() !== undefined && isExact(tmpdir(), lstatSync(tmpdir()));

/** What is done to the runs of a session, each of which must be seen. */
const DONE: readonly (readonly [name: string, change: (folder: Folder, runs: string) => void])[] = [
	["nothing", () => undefined],
	["a run in a new directory", ({ write }) => write("a/1/s/run-0/session.jsonl", "run")],
	["a second run beside the first", ({ write }) => write("a/1/r/run-1/session.jsonl", "run")],
	["a fork of the run beside its session", ({ write }) => write(`a/1/r/run-0/${NAMED}.jsonl`, "run")],
	["a run of the run", ({ write }) => write("a/1/r/run-0/session/t/run-0/session.jsonl", "run")],
	["a fork of the parent", ({ write }) => write("a/1/forks/7.jsonl", "run")],
	["another session with a run", ({ write }) => write("b/2/r/run-0/session.jsonl", "run")],
	["the run has grown", ({ write }) => write("a/1/r/run-0/session.jsonl", "longer")],
	["the session of the run is gone", (_, runs) => rmSync(join(runs, "run-0/session.jsonl"))],
	["the run is gone", (_, runs) => rmSync(join(runs, "run-0"), { recursive: true })],
	["the family is gone", (_, runs) => rmSync(join(runs, ".."), { recursive: true })],
	["the project is gone", (_, runs) => rmSync(join(runs, "../.."), { recursive: true })],
	["the run was moved", (_, runs) => renameSync(join(runs, "run-0"), join(runs, "run-3"))],
	["the runs were moved", (_, runs) => renameSync(runs, join(runs, "../u"))],
	["the project was moved", (_, runs) => renameSync(join(runs, "../.."), join(runs, "../../../c"))],
	[
		"another directory in place of that of the run",
		({ write }, runs) => {
			renameSync(join(runs, "run-0"), join(runs, "../../kept"));
			write("a/1/r/run-0/session/t/run-0/session.jsonl", "run");
		},
	],
	[
		"a run in a directory whose time was set back",
		({ write }, runs) => {
			const { atime, mtime } = lstatSync(runs);
			write("a/1/r/run-2/session.jsonl", "run");
			utimesSync(runs, atime, mtime);
		},
	],
	["a link in place of the session of the run", (_, runs) => linkInstead(join(runs, "run-0/session.jsonl"))],
	["a link in place of the directory of the run", (_, runs) => linkInstead(join(runs, "run-0"))],
	["a directory with the name of a session", (_, runs) => mkdirSync(join(runs, "run-0", `${NAMED}.jsonl`))],
];

describe.skipIf(!canKnow)("what changes in the directories of runs is found as if all of them were read", () => {
	test.each(DONE)("%s", (_, change) => {
		const folder = tempAgentDir();
		folder.write("a/1.jsonl", "1");
		folder.write("a/1/r/run-0/session.jsonl", "run");
		folder.write("b/2.jsonl", "2");
		nextTick(folder.base);
		const directories = new KnownDirectories(new Map(), A_MINUTE_LATER);
		const { files } = runToEnd(findSessionFiles(folder.sessionRoots, undefined, undefined, directories));
		const known = new Map(files.map((file) => [file.path, file]));
		const stored = directories.changes();
		expect([...stored.keys()]).toEqual([join(folder.root, "a")]);
		change(folder, join(folder.root, "a/1/r"));
		const found = runToEnd(findSessionFiles(folder.sessionRoots));
		for (const some of [directories, new KnownDirectories(stored, A_MINUTE_LATER)]) {
			expect(compareFiles(folder.sessionRoots, known, some)).toBe(compareFiles(folder.sessionRoots, known));
			// Twice, the second time with what the first one has learned.
			for (let again = 0; again < 2; again++)
				expect(runToEnd(findSessionFiles(folder.sessionRoots, undefined, undefined, some))).toEqual(found);
		}
	});
});

describe.skipIf(!canKnow)("a directory of runs is read again", () => {
	const made = (): { readonly top: string; readonly run: string } => {
		const { root, base, write } = tempAgentDir();
		write("a/1/r/session.jsonl", "run");
		nextTick(base);
		return { top: join(root, "a"), run: join(root, "a/1/r") };
	};
	/** How often the directory is read by a search. */
	const readsIn = (directories: KnownDirectories, top: string, path: string): number => {
		let reads = 0;
		const { listingOf: listingIn, end } = directories.search(top, (directory) => {
			reads += 1;
			return { listing: listingOf(readdirSync(directory, { withFileTypes: true })), isPlain: true };
		});
		expect(listingIn(path).sessions).toEqual(["session.jsonl"]);
		end();
		return reads;
	};

	test("only if it has changed since it was read", () => {
		const { top, run } = made();
		const directories = new KnownDirectories(new Map(), A_MINUTE_LATER);
		expect(readsIn(directories, top, run)).toBe(1);
		const stored = new KnownDirectories(directories.changes(), A_MINUTE_LATER);
		for (const some of [directories, stored]) expect(readsIn(some, top, run)).toBe(0);
		expect([directories.changes().size, stored.changes().size]).toEqual([0, 0]);
		writeFileSync(join(run, "other.txt"), "");
		for (const some of [directories, stored]) expect(readsIn(some, top, run)).toBe(1);
	});

	test("if it had just been changed when it was read", () => {
		const { top, run } = made();
		const directories = new KnownDirectories();
		for (let again = 0; again < 2; again++) expect(readsIn(directories, top, run)).toBe(1);
		expect(directories.changes().size).toBe(0);
	});

	test("if the system has been started since", () => {
		const { top, run } = made();
		const directories = new KnownDirectories(new Map(), A_MINUTE_LATER);
		readsIn(directories, top, run);
		const before = [...directories.changes()].map(([one, text]) => [one, text.replace(bootId() ?? "", "b")] as const);
		expect(readsIn(new KnownDirectories(new Map(before), A_MINUTE_LATER), top, run)).toBe(1);
	});

	test("and what is known of those below a directory that is gone is forgotten", () => {
		const { top, run } = made();
		const directories = new KnownDirectories(new Map(), A_MINUTE_LATER);
		readsIn(directories, top, run);
		const stored = new KnownDirectories(directories.changes(), A_MINUTE_LATER);
		for (const some of [directories, stored]) {
			// What was searched since the last time is kept.
			if (some === directories) some.forgetOthers();
			expect(some.changes().size).toBe(0);
			some.forgetOthers();
			expect([...some.changes()]).toEqual([[top, ""]]);
		}
	});
});

function linkInstead(path: string): void {
	renameSync(path, `${path}-moved`);
	symlinkSync(`${path}-moved`, path);
}

/** Waits until the file system's clock has gone on, so that a change gets another time than what was made before. */
function nextTick(directory: string): void {
	const path = join(directory, "tick");
	const now = (): number => {
		writeFileSync(path, "");
		return lstatSync(path).ctimeMs;
	};
	for (const first = now(); now() === first; );
}
