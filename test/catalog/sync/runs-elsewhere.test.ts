import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { listCounted } from "../../../src/catalog/list-all.ts";
import { findSessionRoots } from "../../../src/catalog/model/session-roots.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { listKnown } from "../../../src/catalog/snapshot.ts";
import { familyFiles } from "../../support/family.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

type Folder = ReturnType<typeof tempAgentDir>;

/** Where packages put the session of a run, below the temporary directory, and what makes them do so. */
const PLACES: readonly (readonly [name: string, path: string, configure: (folder: Folder) => void])[] = [
	[
		"`defaultSessionDir` of pi-subagents",
		"runs/01990000-0000-7000-8000-000000000011/run-0/session.jsonl",
		({ agent, base }) =>
			writeAt(
				join(agent, "extensions/subagent/config.json"),
				JSON.stringify({ defaultSessionDir: join(base, "runs") }),
			),
	],
	[
		"`session_dir` of an agent",
		"agents/2026-09-14T09-00-01-573Z_01990000-0000-7000-8000-000000000012.jsonl",
		({ agent, base }) =>
			writeAt(join(agent, "agents/scout.md"), `---\nsession_dir: ${join(base, "agents")} # here\n---\nYou look.\n`),
	],
	[
		"the directory that several packages use",
		"agent/subagent-sessions/p/2026-09-14T09-00-01-573Z_01990000-0000-7000-8000-000000000012.jsonl",
		() => undefined,
	],
	["a directory that only the call of the run names", "anywhere/7/run-0/session.jsonl", () => undefined],
	["a file that only the report of the run names", "anywhere/deep/in/a/run.jsonl", () => undefined],
	["such a file below the session directory", "agent/sessions/--p--/deep/in/a/run.jsonl", () => undefined],
];

/** A family whose run has its session at `path`, as its parent tells. */
function writeFamily(folder: Folder, path: string): { readonly parent: string; readonly run: string } {
	const [asking, ...others] = familyFiles("fresh");
	const [named, text] = others
		.map(({ path, text }) => [path, text] as const)
		.find(([path]) => path.endsWith("session.jsonl")) ?? ["", ""];
	const run = join(folder.base, path);
	writeAt(run, text);
	const parent = folder.write("--p--/parent.jsonl", asking.text.replaceAll(named, run));
	return { parent, run };
}

function writeAt(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

async function rootsOf({ env, base }: Folder) {
	return findSessionRoots({ env, cwd: base, home: base });
}

test.each(PLACES)("the session of a run in %s is listed, counted and searched", async (_, path, configure) => {
	const folder = tempAgentDir();
	configure(folder);
	const { parent, run } = writeFamily(folder, path);
	const options = { env: folder.env, cwd: folder.base, home: folder.base, cacheDir: folder.cache };
	const { rows, counts } = await listCounted({ ...options, blocking: true });
	expect(rows.map(({ path, run }) => [path, run?.parent]).toSorted()).toEqual(
		[
			[parent, undefined],
			[run, parent],
		].toSorted(),
	);
	expect(counts.has(run)).toBe(true);
	const known = await listKnown((all) => all, options);
	expect(known?.find((row) => row.path === run)?.run).toBeDefined();
	const found = await searchAll("routes", options);
	expect(found.map(({ row }) => row.path)).toContain(run);
});

/** One that the settings name, and one that only its parent names. */
const WATCHED = PLACES.filter((_, index) => index === 0 || index === 4);

test.each(WATCHED)(
	"in %s it is watched, there at the next start, and goes with its file",
	async (_, path, configure) => {
		const folder = tempAgentDir();
		configure(folder);
		const { parent, run } = writeFamily(folder, path);
		const open = async () => {
			const catalog = openCatalog({ sessionRoots: await rootsOf(folder), cacheDir: folder.cache, processes: false });
			const seen = startCatalog(catalog);
			await catalog.counted();
			await seen.until("the run", () => seen.rows.get(run)?.run?.parent === parent);
			return { catalog, ...seen };
		};
		const { catalog, rows, until } = await open();
		catalog.watchVisible([run]);
		const before = rows.get(run)?.messageCount ?? 0;
		appendFileSync(run, lines(user("more", null, 9, "more")));
		await until("it to grow", () => (rows.get(run)?.messageCount ?? 0) > before);
		renameSync(run, `${run}.away`);
		await catalog.changed([run]);
		expect(rows.has(run)).toBe(false);
		renameSync(`${run}.away`, run);
		await catalog.changed([run]);
		expect(rows.get(run)?.messageCount).toBe(before + 1);
		await catalog.close();
		const next = await open();
		expect([...next.rows.keys()].toSorted()).toEqual([parent, run].toSorted());
		expect(next.problems()).toEqual([]);
		rmSync(run);
		await next.catalog.refresh();
		expect([...next.rows.keys()]).toEqual([parent]);
	},
);

/** Families that the packages have made with such a configuration, and the directory that it names, inside of `sessions`. */
const CONFIGURED: readonly (readonly [family: string, configure: (folder: Folder) => void])[] = [
	[
		"configured",
		({ agent, root }) =>
			writeAt(
				join(agent, "extensions/subagent/config.json"),
				JSON.stringify({ defaultSessionDir: join(root, "subagent/") }),
			),
	],
	[
		"agent-directory",
		({ agent, root }) => writeAt(join(agent, "agents/writer.md"), `---\nsession_dir: "${join(root, "agents")}"\n---\n`),
	],
];

test.each(CONFIGURED)("the family %s is whole, and its run is one without its parent, too", async (name, configure) => {
	const folder = tempAgentDir();
	configure(folder);
	const files = familyFiles(name).filter(({ path }) => !path.includes("/subagent-artifacts/"));
	const [parent = "", run = ""] = files.map(({ path, text }) =>
		folder.write(
			path.replace("/home/dev/.pi/agent/sessions/", ""),
			text.replaceAll("/home/dev/.pi/agent", folder.agent),
		),
	);
	const catalog = openCatalog({ sessionRoots: await rootsOf(folder), cacheDir: folder.cache, processes: false });
	const seen = startCatalog(catalog);
	await catalog.counted();
	await seen.until("the run", () => seen.rows.get(run)?.run?.parent === parent);
	expect(seen.rows.get(parent)?.run).toBeUndefined();
	await catalog.close();
	rmSync(parent);
	const again = openCatalog({ sessionRoots: await rootsOf(folder), cacheDir: folder.cache, processes: false });
	const alone = startCatalog(again);
	await again.listed();
	expect([...alone.rows.keys()]).toEqual([run]);
	expect(alone.rows.get(run)?.run).toBeDefined();
});

/** What a session may name as the file of its run, and is none. */
const NO_SESSIONS: readonly (readonly [name: string, make: (path: string, folder: Folder) => void])[] = [
	["nothing", () => undefined],
	["a file that is no session", (path) => writeFileSync(path, '{"type":"message"}\n{"type":"session","id":"x"}\n')],
	["an empty file", (path) => writeFileSync(path, "")],
	["a directory", (path) => mkdirSync(path)],
	["a pipe", (path) => void spawnSync("mkfifo", [path])],
	["a device", (path) => symlinkSync("/dev/zero", path)],
	[
		"a link to a session",
		(path, { base }) => {
			writeFileSync(join(base, "x.jsonl"), lines(header()));
			symlinkSync(join(base, "x.jsonl"), path);
		},
	],
	[
		"a listed session under another name",
		(path, { root }) => {
			rmSync(dirname(path), { recursive: true });
			symlinkSync(join(root, "--p--"), dirname(path));
		},
	],
];

test.each(NO_SESSIONS)("what a session names as its run is not listed: %s", async (_, make) => {
	const folder = tempAgentDir();
	const { parent, run } = writeFamily(folder, "x/parent.jsonl");
	rmSync(run);
	make(run, folder);
	const { env, base: home, cache: cacheDir } = folder;
	const problems: unknown[] = [];
	const onProblems = (all: readonly unknown[]) => problems.push(...all);
	const { rows } = await listCounted({ env, home, cwd: home, cacheDir, blocking: true, onProblems });
	expect(rows.map(({ path }) => path)).toEqual([parent]);
	expect(problems).toEqual([]);
});

test("a run elsewhere that is not a session any more is no longer listed", async () => {
	const folder = tempAgentDir();
	const { parent, run } = writeFamily(folder, "x/run.jsonl");
	const catalog = openCatalog({ sessionRoots: await rootsOf(folder), cacheDir: folder.cache, processes: false });
	const seen = startCatalog(catalog);
	await catalog.counted();
	expect(seen.rows.size).toBe(2);
	writeFileSync(run, "something else\n");
	await catalog.refresh();
	expect([...seen.rows.keys()]).toEqual([parent]);
});
