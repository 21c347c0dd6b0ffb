import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ALL_KINDS } from "../../../src/catalog/query/fields.ts";
import { findRipgrep, RipgrepError } from "../../../src/catalog/search/find-ripgrep.ts";
import { grep } from "../../../src/catalog/search/grep.ts";
import { syntaxPatterns } from "../../../src/catalog/search/raw-pattern.ts";
import type { GrepMatch } from "../../../src/catalog/search/read-matches.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { header, lines, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

type Folder = ReturnType<typeof tempAgentDir>;

/** A program instead of ripgrep that passes the trial start and then runs this shell script. */
function inPlaceOf(folder: Folder, script: string): string {
	const path = join(folder.base, "rg");
	writeFileSync(path, `#!/bin/sh\ncase "$*" in *--quiet*) exit 1;; esac\n${script}\n`);
	chmodSync(path, 0o755);
	return path;
}

function sessions(folder: Folder, count = 3): string[] {
	return Array.from({ length: count }, (_, index) =>
		folder.write(`--p--/${index}.jsonl`, lines(header(), user("u1", null, 1, `needle ${index}`))),
	);
}

const search = (folder: Folder, env: Record<string, string>) =>
	searchAll("needle", { env: { ...folder.env, ...env }, cacheDir: folder.cache, home: folder.base });

describe("ripgrep", () => {
	test("is the bundled one, else the one on the PATH, else pi's own", async () => {
		const folder = tempAgentDir();
		sessions(folder);
		const own = await findRipgrep({ ...folder.env, PATH: "" });
		expect(own).toMatchObject({ pcre2: true, command: expect.stringContaining("ripgrep") });
		const found = await search(folder, { PI_GROVE_RG: own.command });
		expect(found).toHaveLength(3);
	});

	test("if missing, the error names everything tried and what to do, and the next search tries again", async () => {
		const folder = tempAgentDir();
		sessions(folder);
		const missing = join(folder.base, "rg");
		await expect(search(folder, { PI_GROVE_RG: missing })).rejects.toThrow(
			`needs ripgrep, which cannot be started (${missing}: ENOENT). Install it`,
		);
		const { command } = await findRipgrep({});
		writeFileSync(missing, `#!/bin/sh\nexec "${command}" "$@"\n`, { mode: 0o755 });
		expect(await search(folder, { PI_GROVE_RG: missing })).toHaveLength(3);
	});

	test("if not executable", async () => {
		const folder = tempAgentDir();
		sessions(folder);
		const path = inPlaceOf(folder, "exit 0");
		chmodSync(path, 0o644);
		await expect(search(folder, { PI_GROVE_RG: path })).rejects.toThrow(`${path}: EACCES`);
	});

	test.each([
		["killed", "printf 'x'; kill -9 $$", /^ripgrep was killed during the search \(SIGKILL\)/],
		[
			"failing",
			"echo 'rg: unrecognized flag --encoding' >&2; exit 2",
			/^ripgrep failed: unrecognized flag --encoding\.$/,
		],
		["crashing", "exit 77", /^ripgrep failed \(exit 77\)\.$/],
		["writing rubbish", "echo rubbish", /^ripgrep printed something unexpected \("rubbish/],
		[
			"naming other files",
			"printf '/etc/passwd\\0001:0:root\\n'",
			/^ripgrep printed something unexpected \("\/etc\/passwd"\)/,
		],
		["writing rubbish without end", "yes rubbish", /^ripgrep printed something unexpected/],
	])("%s: an error, and no partial result", async (_what, script, message) => {
		const folder = tempAgentDir();
		sessions(folder);
		const failure = search(folder, { PI_GROVE_RG: inPlaceOf(folder, script) });
		await expect(failure).rejects.toThrow(RipgrepError);
		await expect(failure).rejects.toThrow(message);
	});

	test("without PCRE2 the same is found", async () => {
		const folder = tempAgentDir();
		sessions(folder);
		const { command } = await findRipgrep({});
		const path = join(folder.base, "rg");
		writeFileSync(path, `#!/bin/sh\ncase "$*" in *pcre2*) exit 2;; esac\nexec "${command}" "$@"\n`, { mode: 0o755 });
		expect(await findRipgrep({ PI_GROVE_RG: path })).toEqual({ command: path, pcre2: false });
		const found = await searchAll("user", { env: { ...folder.env, PI_GROVE_RG: path }, cacheDir: folder.cache });
		expect(found).toEqual([]);
		expect(await search(folder, { PI_GROVE_RG: path })).toHaveLength(3);
	});
});

describe("a pattern that ripgrep gives up on", () => {
	const LIMIT = 'echo "rg: $last: PCRE2: error matching: match limit exceeded" >&2; exit 2';

	/** The real ripgrep, except for its second engine, which reaches its limit in the file that follows `after`. */
	async function limited(folder: Folder, after: string): Promise<string> {
		const { command } = await findRipgrep({});
		const run = after === "nothing" ? "" : `"${command}" "$@" | head -n 1;`;
		return inPlaceOf(
			folder,
			`for last in "$@"; do :; done\ncase "$*" in *engine=pcre2*) ${run} ${LIMIT};; esac\nexec "${command}" "$@"`,
		);
	}

	test.each(["nothing", "the first line"])("is tried in another way, and nothing is lost, after %s", async (after) => {
		const folder = tempAgentDir();
		const paths = ["the user", "no such word", "a user said", "users"].map((text, index) =>
			folder.write(`--p--/${index}.jsonl`, lines(header(), user("u1", null, index, text))),
		);
		const env = { ...folder.env, PI_GROVE_RG: await limited(folder, after) };
		const found = await searchAll("user", { env, cacheDir: folder.cache, home: folder.base });
		expect(found.map(({ path }) => path).sort()).toEqual([paths[0], paths[2], paths[3]]);
	});

	test("does not hide what the person said behind the line at which it gave up", async () => {
		const folder = tempAgentDir();
		folder.write(
			"--p--/1.jsonl",
			lines(header(), user("u1", null, 1, "hello"), toolResult("t1", "u1", 2, "user"), user("u2", "t1", 3, "the user")),
		);
		const env = { ...folder.env, PI_GROVE_RG: await limited(folder, "the first line") };
		const [found] = await searchAll("user", { env, cacheDir: folder.cache, home: folder.base });
		expect(found?.best).toMatchObject({ kind: "user", entryId: "u2" });
	});

	test.each(["session", "image/png", "/png", "2026-11-26t17:20:38.123z", "-:".repeat(30), `${"0-".repeat(40)}f`])(
		"does not need to be given up for a word of the syntax: %s",
		async (needle) => {
			const patterns = syntaxPatterns({ needle, kinds: ALL_KINDS }) ?? [];
			expect(patterns).toHaveLength(2);
			const { command } = await findRipgrep({});
			for (const [index, pattern] of patterns.entries()) {
				const engine = index === 0 ? "pcre2" : "default";
				const { status, stderr } = spawnSync(command, [`--engine=${engine}`, `--regexp=${pattern}`], { input: "" });
				expect([status, stderr.toString()]).toEqual([1, ""]);
			}
		},
	);

	test("because it is too large is tried in another way", async () => {
		const folder = tempAgentDir();
		const path = folder.write("--p--/1.jsonl", lines(header(), user("u1", null, 1, `${"検索".repeat(400)}!`)));
		folder.write("--p--/2.jsonl", lines(header(), user("u1", null, 1, "検索!")));
		const { command } = await findRipgrep({});
		// A limit that other patterns stay within.
		const small = inPlaceOf(folder, `exec "${command}" --regex-size-limit=20K "$@"`);
		const env = { ...folder.env, PI_GROVE_RG: small };
		const all = async (query: string) =>
			(await searchAll(query, { env, cacheDir: folder.cache, home: folder.base })).map((one) => one.path);
		expect(await all("re:\\pL{800}!")).toEqual([path]);
		expect(await all(`re:${"\\pL".repeat(600)}!`)).toEqual([path]);
	});

	test("phrases of any length are found, also across what any program reads at once", async () => {
		const folder = tempAgentDir();
		const phrase = Array.from({ length: 30_000 }, (_, index) => `wörd${index}`).join(" ");
		const path = folder.write(
			"--p--/1.jsonl",
			lines(
				header(),
				user("u1", null, 1, "x".repeat(65_400)),
				toolResult("u2", "u1", 2, `${"y ".repeat(40_000)}${phrase}.`),
			),
		);
		folder.write("--p--/2.jsonl", lines(header(), user("u1", null, 1, phrase.slice(0, 250_000))));
		const all = async (query: string) =>
			(await searchAll(query, { env: folder.env, cacheDir: folder.cache })).map((one) => one.path);
		for (const length of [257, 300, 5000, phrase.length - 20_000])
			expect(await all(`"${phrase.slice(20_000, 20_000 + length)}"`)).toContain(path);
		expect(await all(`"${phrase}"`)).toEqual([path]);
		expect(await all(`"${phrase}x"`)).toEqual([]);
		expect(await all(`"${"7".repeat(30_000)}"`)).toEqual([]);
	});
});

test("paths of any kind, files that are deleted meanwhile, and one that the disk cannot read", async () => {
	const folder = tempAgentDir();
	const line = lines(header(), user("u1", null, 1, "needle"));
	const names = ["with blanks", "--leading", "quote\"'`$x", "new\nline\n1:2:3", "日本語", "back\\slash", "*?[a]{b}"];
	const paths = names.map((name) => folder.write(`--${name}--/${name}.jsonl`, line));
	const gone = folder.write("--p--/gone.jsonl", line);
	const found = await searchAll("needle", { env: folder.env, cacheDir: folder.cache });
	expect(found.map(({ path }) => path).sort()).toEqual([...paths, gone].sort());
	rmSync(gone);
	const directory = dirname(folder.write("--p--/directory.jsonl/needle.jsonl", line));
	const matches: GrepMatch[] = [];
	const broken = join(folder.root, "--p--", "broken.jsonl");
	if (process.platform === "linux") symlinkSync("/proc/self/mem", broken);
	const unreadable: [path: string, reason: string][] = [];
	const options = {
		ripgrep: await findRipgrep(),
		patterns: ["needle"],
		paths: [...paths, directory, gone, ...(process.platform === "linux" ? [broken] : [])],
		signal: new AbortController().signal,
		onUnreadable: (reasons: ReadonlyMap<string, string>) => unreadable.push(...reasons),
	};
	for await (const match of grep(options)) matches.push(match);
	expect(matches.map(({ path }) => path).sort()).toEqual([...paths].sort());
	expect(unreadable).toEqual([
		[directory, "it is not a regular file"],
		[gone, "it does not exist; it may have been moved or deleted meanwhile (ENOENT)"],
		...(process.platform === "linux" ? [[broken, "the disk reported an error; check the disk (EIO)"]] : []),
	]);
});

test("ripgrep's own settings and ignore files have no effect", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/.hidden.jsonl", lines(header(), user("u1", null, 1, "Needle")));
	writeFileSync(join(folder.root, "--p--", ".ignore"), "*\n");
	mkdirSync(join(folder.base, "settings"));
	const settings = join(folder.base, "settings", "rc");
	writeFileSync(settings, "--invert-match\n--case-sensitive\n");
	vi.stubEnv("RIPGREP_CONFIG_PATH", settings);
	try {
		const found = await searchAll("needle", { env: folder.env, cacheDir: folder.cache });
		expect(found.map((one) => one.path)).toEqual([path]);
	} finally {
		vi.unstubAllEnvs();
	}
});

test("aborting ends ripgrep at once, and the generator with the reason", async () => {
	const folder = tempAgentDir();
	const paths = sessions(folder, 50);
	const controller = new AbortController();
	const options = { ripgrep: await findRipgrep(), patterns: ["needle"], paths, signal: controller.signal };
	const running = grep(options);
	await running.next();
	controller.abort(new Error("enough"));
	await expect(running.next()).rejects.toThrow("enough");
	await expect(grep(options).next()).rejects.toThrow("enough");
});

test("the hit shown is an entry with all words, however many have some of them before it", async () => {
	const folder = tempAgentDir();
	const some = Array.from({ length: 40 }, (_, index) => user(`u${index}`, null, index, `the parser, part ${index}`));
	const bugs = Array.from({ length: 40 }, (_, index) => user(`b${index}`, null, index, `a bug, number ${index}`));
	const both = [toolResult("r", "b1", 90, "a bug of the parser"), user("all", "r", 91, "Fixed: the parser bug")];
	folder.write("--p--/1.jsonl", lines(header(), ...some, ...bugs, ...both));
	for (const query of ["parser bug", "bug parser", "parser re:b.g", "fixed parser bug"]) {
		const [found] = await searchAll(query, { env: folder.env, cacheDir: folder.cache });
		expect([query, found?.best.entryId]).toEqual([query, "all"]);
	}
});
