import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { listAll, listCounted } from "../../../src/catalog/list-all.ts";
import { archiveCounterpart, findSessionRoots } from "../../../src/catalog/model/session-roots.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { listKnown } from "../../../src/catalog/snapshot.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

type Folder = ReturnType<typeof tempAgentDir>;

const NAME = "2026-01-01T00-00-00-000Z_b.jsonl";

function writeAt(path: string, text: string): string {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	return path;
}

const session = (id: string, cwd: string, text: string): string =>
	lines(header({ id, cwd }), user(`${id}-1`, null, 1, text));

/** A project with a session where pi keeps all of them, and one in a directory of its own, which its settings name unless that is usual. */
function withProject(folder: Folder, setting?: string) {
	const cwd = join(folder.base, "work", "api");
	const own = join(cwd, setting ?? ".pi/sessions");
	if (setting !== undefined) writeAt(join(cwd, ".pi", "settings.json"), JSON.stringify({ sessionDir: `./${setting}` }));
	const usual = folder.write("--api--/a.jsonl", session("a", cwd, "the lexer"));
	return { cwd, own, usual, kept: writeAt(join(own, NAME), session("b", cwd, "the parser")) };
}

const optionsOf = ({ env, base, cache }: Folder) => ({ env, cwd: base, home: base, cacheDir: cache });

const rootsOf = (folder: Folder) => findSessionRoots(optionsOf(folder));

const pathsOf = (rows: readonly { readonly path: string }[]): readonly string[] =>
	rows.map(({ path }) => path).toSorted();

test.each([undefined, "kept here"])(
	"the sessions in %s of a project are listed, watched, and there at once the next time",
	async (setting) => {
		const folder = tempAgentDir();
		const { cwd, own, usual, kept } = withProject(folder, setting);
		const catalog = openCatalog({ sessionRoots: await rootsOf(folder), cacheDir: folder.cache, processes: false });
		const seen = startCatalog(catalog);
		await seen.until("both", () => seen.rows.size === 2);
		expect(seen.rows.get(kept)).toMatchObject({ id: "b", cwd });
		expect(seen.rows.get(kept)?.run).toBeUndefined();
		await catalog.counted();
		catalog.watchVisible([kept]);
		await catalog.refresh();
		const next = writeAt(join(own, NAME.replace("_b", "_c")), session("c", cwd, "the emitter"));
		await seen.until("a new one", () => seen.rows.has(next));
		expect(seen.rows.get(next)?.run).toBeUndefined();
		appendFileSync(kept, lines(user("b-2", "b-1", 2, "and on")));
		await seen.until("what was appended", () => seen.rows.get(kept)?.messageCount === 2);
		expect(seen.problems()).toEqual([]);
		await catalog.close();

		const again = openCatalog({ sessionRoots: await rootsOf(folder), cacheDir: folder.cache, processes: false });
		const stored = startCatalog(again);
		await again.stored();
		expect([...stored.rows.keys()].toSorted()).toEqual([usual, kept, next].toSorted());
		expect(stored.rows.get(kept)?.run).toBeUndefined();
		await again.close();
	},
);

test("commands list, count and search them, also those in the archive of the project's directory", async () => {
	const folder = tempAgentDir();
	const { usual, kept } = withProject(folder);
	const options = optionsOf(folder);
	expect(pathsOf(await listAll({ ...options, blocking: true }))).toEqual([usual, kept].toSorted());
	expect(pathsOf((await listKnown((all) => all, options)) ?? [])).toEqual([usual, kept].toSorted());
	expect(pathsOf((await listCounted(options)).rows)).toEqual([usual, kept].toSorted());
	expect(pathsOf(await searchAll("parser", options))).toEqual([kept]);
	const archived = archiveCounterpart(kept, await rootsOf(folder));
	expect(archived).toBe(join(dirname(kept), "session-archive", NAME));
	mkdirSync(dirname(archived));
	renameSync(kept, archived);
	for (const blocking of [true, false]) {
		expect(pathsOf(await listAll({ ...options, blocking }))).toEqual([usual]);
		const all = await listAll({ ...options, blocking, archived: true });
		expect(all.find(({ path }) => path === archived)?.archived).toBe(true);
	}
	expect(pathsOf(await searchAll("parser", options))).toEqual([]);
	expect(pathsOf(await searchAll("parser is:archived", options))).toEqual([archived]);
});

test("without an index the catalog's thread finds them before a single listing ends", async () => {
	const folder = tempAgentDir();
	const { usual, kept } = withProject(folder, "kept");
	expect(pathsOf(await listAll(optionsOf(folder)))).toEqual([usual, kept].toSorted());
});

test("a directory that was named shows only what is in it", async () => {
	const folder = tempAgentDir();
	const { usual } = withProject(folder);
	const options = { ...optionsOf(folder), sessionDir: dirname(usual) };
	expect(pathsOf(await listAll(options))).toEqual([usual]);
	const env = { ...folder.env, PI_CODING_AGENT_SESSION_DIR: dirname(usual) };
	expect(pathsOf(await listAll({ ...optionsOf(folder), env }))).toEqual([usual]);
});

test("what sessions and settings say is only looked at: odd paths, broken settings, directories that are listed anyway", async () => {
	const folder = tempAgentDir();
	const odd = [
		"..",
		"relative",
		join(folder.base, "x", "..", "work"),
		"/nul\0byte",
		join(folder.base, "gone"),
		"/dev/null",
	];
	for (const [index, cwd] of odd.entries()) folder.write(`--odd--/${index}.jsonl`, session(`o${index}`, cwd, "x"));
	for (const [index, setting] of ["{", "[]", '{"sessionDir":5}', '{"sessionDir":"/dev/null"}'].entries()) {
		const cwd = join(folder.base, "work", `p${index}`);
		writeAt(join(cwd, ".pi", "settings.json"), setting);
		folder.write(`--odd--/p${index}.jsonl`, session(`p${index}`, cwd, "x"));
	}
	for (const [index, sessionDir] of [folder.agent, folder.root, join(folder.root, "--odd--")].entries()) {
		const cwd = join(folder.base, "work", `q${index}`);
		writeAt(join(cwd, ".pi", "settings.json"), JSON.stringify({ sessionDir }));
		folder.write(`--odd--/q${index}.jsonl`, session(`q${index}`, cwd, "x"));
	}
	writeAt(join(folder.agent, "stray.jsonl"), session("stray", "/", "x"));
	const problems: unknown[] = [];
	const rows = await listAll({ ...optionsOf(folder), onProblems: (all) => problems.push(...all) });
	expect(rows).toHaveLength(odd.length + 7);
	expect(problems).toEqual([]);
	expect((await rootsOf(folder)).projectDirs).toEqual([]);
});

test("a project that begins to keep its sessions is noticed by the next comparison", async () => {
	const folder = tempAgentDir();
	const cwd = join(folder.base, "work", "api");
	const usual = folder.write("--api--/a.jsonl", session("a", cwd, "the lexer"));
	const catalog = openCatalog({
		sessionRoots: await rootsOf(folder),
		cacheDir: folder.cache,
		watch: false,
		processes: false,
	});
	const seen = startCatalog(catalog);
	await catalog.counted();
	expect([...seen.rows.keys()]).toEqual([usual]);
	const kept = writeAt(join(cwd, ".pi", "sessions", NAME), session("b", cwd, "the parser"));
	await catalog.refresh();
	expect(seen.rows.has(kept)).toBe(true);
	await catalog.close();
});
