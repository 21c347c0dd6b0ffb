import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newProjects } from "../src/app/features/list/projects-overlay.ts";
import { checkDirectories } from "../src/app/world/effects/directories.ts";
import { FATES } from "../src/app/world/list/gone-directories.ts";
import { shownProjects } from "../src/app/world/list/projects.ts";
import { selectList } from "../src/app/world/list/select-list.ts";
import { commandFor } from "../src/app/world/state/binding.ts";
import { list, statsAll } from "../src/catalog/list-all.ts";
import { NO_MARKS } from "../src/catalog/model/marks.ts";
import { rowMeets } from "../src/catalog/query/conditions.ts";
import { parseQuery } from "../src/catalog/query/parse-query.ts";
import { guard } from "../src/changes/guard/guard.ts";
import { projectKey } from "../src/shared/paths.ts";
import { readDirectly } from "../src/store/files/disk-read.ts";
import { complete, keys, rows, run, start } from "./support/listed-state.ts";
import { answerTo } from "./support/queries.ts";
import { makeRow } from "./support/rows.ts";
import { assistant, header, lines, user } from "./support/session-builder.ts";
import { SYSTEMS } from "./support/systems.ts";
import { tempAgentDir, tempDir } from "./support/temp-dir.ts";

const COMPOSED = "/w/caf\u00e9";
const FACTS = {
	live: new Set<string>(),
	marks: NO_MARKS,
	counts: new Map(),
	fileNames: new Set<string>(),
	runs: new Map(),
	familyCosts: new Map(),
	gone: new Set(),
	branches: new Map(),
	now: 0,
};
const DECOMPOSED = "/w/cafe\u0301";

test.each([
	["/w/trail", "/w/trail"],
	["/w/trail/", "/w/trail"],
	["/w//trail///", "/w/trail"],
	["/w/./x/../trail/.", "/w/trail"],
	["/w/.config/..x/y.", "/w/.config/..x/y."],
	["/", "/"],
	["", ""],
	["~/trail", "~/trail"],
	[DECOMPOSED, COMPOSED],
	[`${DECOMPOSED}/`, COMPOSED],
	["C:\\w\\trail\\", "C:\\w\\trail"],
	["\\\\host\\share\\trail\\", "\\\\host\\share\\trail"],
])("the project of %j is %j", (directory, key) => {
	expect(projectKey(directory)).toBe(key);
});

describe.each(SYSTEMS)("on $name a part of the path of a project", ({ name, cwd }) => {
	const isWindows = name === "Windows";
	test.each([
		["work/api", true],
		["ada/work", true],
		["~/work/a", true],
		["work\\api", isWindows],
		["~\\work\\", isWindows],
		["work/ap/", false],
		["api/work", false],
	])("%s", (typed, isIn) => {
		const parsed = parseQuery(`project:${typed}`);
		const conditions = "query" in parsed ? parsed.query.conditions : [];
		expect(rowMeets(makeRow("x", { cwd }), conditions, FACTS)).toBe(isIn);
		const { catalog } = run(start, rows(makeRow("x", { cwd })), complete).state;
		const picker = newProjects(start);
		const shown = { ...picker, query: { ...picker.query, text: typed.replace("~", "") } };
		expect(shownProjects({ ...start, catalog }, shown)).toHaveLength(isIn ? 1 : 0);
	});
});

describe.each([
	["a slash at the end", "/w/trail", "/w/trail/"],
	["an accent in two forms", COMPOSED, DECOMPOSED],
	["the letters of a drive and of folders, on Windows", "C:\\w\\Trail", "c:\\W\\trail"],
	["a slash at the end, on Windows", "C:\\w\\api", "C:\\w\\api\\"],
	["the letters of folders, on macOS", "/Users/ada/Trail", "/Users/ada/trail/"],
])("%s makes no second project", (_, plain, other) => {
	const listed = run(
		start,
		rows(
			makeRow("a", { age: 1, cwd: other }),
			makeRow("b", { age: 2, cwd: "/elsewhere" }),
			makeRow("c", { age: 3, cwd: plain }),
			makeRow("d", { age: 4, cwd: other }),
		),
		complete,
	).state;
	const shown = (state = listed): string =>
		selectList(state)
			.items.map((item) => ("row" in item ? item.row.id : `[${item.heading} ${item.count}]`))
			.join(" ");

	test("under the headings, in the picker of projects and where one is folded", () => {
		const byProject = commandFor(listed, "sort-project")?.run(listed)[0] ?? listed;
		const folded = run(byProject, keys("<fold-projects>")).state;
		expect(shown(byProject)).toContain(`[${projectKey(plain)} 3] a c d`);
		expect(shown(folded)).toContain(`[${projectKey(plain)} 3]`);
		expect(shownProjects(listed, newProjects(listed)).map(({ directory, count }) => [directory, count])).toEqual([
			[projectKey(plain), 3],
			["/elsewhere", 1],
		]);
	});

	test.each([plain, other])("in the scopes, started in %j", (cwd) => {
		const state = { ...listed, environment: { ...listed.environment, cwd } };
		expect(shown({ ...state, list: { ...state.list, scope: "here" } })).toBe("a c d");
		expect(shown({ ...state, list: { ...state.list, scope: "project", project: cwd } })).toBe("a c d");
		expect(shown({ ...state, list: { ...state.list, scope: "repo" } })).toBe("a c d");
	});

	test.each([plain, other, `=${plain}`, `=${other}`])("for project:%s", (typed) => {
		const parsed = parseQuery(`project:${typed}`);
		const conditions = "query" in parsed ? parsed.query.conditions : [];

		expect([plain, other, "/w/other"].map((cwd) => rowMeets(makeRow("x", { cwd }), conditions, FACTS))).toEqual([
			true,
			true,
			false,
		]);
	});

	test("on the disk: in lists of a directory, and in the sums of what it has cost", async () => {
		const { env, write } = tempAgentDir();
		for (const [name, cwd] of Object.entries({ "--w-1--/a": plain, "--w-2--/b": other }))
			write(`${name}.jsonl`, lines(header({ cwd }), user("u", null, 1, name), assistant("v", "u", 2, "yes")));
		const options = { env, home: tempDir(), cwd: tempDir(), cacheDir: tempDir() };
		for (const asked of [plain, other])
			expect((await list(asked, options)).map(({ cwd }) => cwd).sort()).toEqual([plain, other].sort());
		const { projects } = await statsAll(options);
		expect(projects.map(({ key, sessions }) => [projectKey(key), sessions])).toEqual([[projectKey(plain), 2]]);
	});

	test("for a pi that runs there, which may have its sessions open", () => {
		const pi = { pid: 7, startedMs: 0, cwd: plain, sessions: [], reportsSession: false };
		const report = { sessions: new Map(), pis: [pi] };
		expect(guard("take", report, makeRow("x", { cwd: other })).decision).toBe("ask");
	});
});

test("a project that was moved is one project where a link was left, in the list, in the sums and as it was called", async () => {
	const { env, write } = tempAgentDir();
	const home = tempDir();
	const [moved, link] = [join(home, "new"), join(home, "old")];
	mkdirSync(moved);
	symlinkSync(moved, link);
	for (const [name, cwd] of Object.entries({ a: moved, b: link }))
		write(
			`--w-${name}--/${name}.jsonl`,
			lines(header({ cwd }), user("u", null, 1, name), assistant("v", "u", 2, "yes")),
		);
	const listed = run(start, rows(makeRow("a", { age: 1, cwd: moved }), makeRow("b", { age: 2, cwd: link })), complete);
	expect(shownProjects(listed.state, newProjects(listed.state))).toHaveLength(2);
	const value = await checkDirectories([moved, link], readDirectly);
	const { state } = run(listed.state, answerTo(FATES, listed.state, value));
	expect(shownProjects(state, newProjects(state)).map(({ directory, count }) => [directory, count])).toEqual([
		[moved, 2],
	]);
	expect(selectList({ ...state, list: { ...state.list, scope: "project", project: link } }).rows).toHaveLength(2);
	const { projects } = await statsAll({ env, home, cwd: home, cacheDir: tempDir() });
	expect(projects.map(({ key, sessions }) => [key, sessions])).toEqual([[moved, 2]]);
	for (const typed of ["old", "new", `=${link}`, `=${moved}`]) {
		const parsed = parseQuery(`project:${typed}`);
		const conditions = "query" in parsed ? parsed.query.conditions : [];
		expect(rowMeets(makeRow("x", { cwd: link }), conditions, FACTS)).toBe(true);
	}
});
