import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHANGED } from "../../src/app/features/changes/changes-state.ts";
import { selectAlternatives } from "../../src/app/features/list/alternatives.ts";
import { CODE_COLORS } from "../../src/app/features/reader/feature.ts";
import { STATS_SUM } from "../../src/app/features/statistics/stats-rows.ts";
import { NEXT_STEPS } from "../../src/app/world/keys/undo-keys.ts";
import { isLooking } from "../../src/app/world/list/gone-directories.ts";
import { searchOf } from "../../src/app/world/list/list-search.ts";
import { isSearched, selectList } from "../../src/app/world/list/select-list.ts";
import { RENDERERS } from "../../src/app/world/opened/select-reader.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { collectionOfFile } from "../support/collection.ts";
import { fakeSsh, HELLO, ROW } from "../support/fake-ssh.ts";
import { isCurrent } from "../support/queries.ts";
import { NOW } from "../support/rows.ts";
import { header, lines, user } from "../support/session-builder.ts";
import { GOLDEN_SIZES, shownScreen } from "../support/shown-screen.tsx";
import { type Driver, type StartProgramOptions, startProgram, toScope } from "../support/start-program.ts";
import { GOLDEN_TEMPORARY, tempAgentDir } from "../support/temp-dir.ts";

/** A scene: its name, the session that is selected, then bindings by their ids. */
type Scene = readonly [name: string, select: string, ...bindings: string[]];

type Size = { readonly columns: number; readonly rows: number };

/** The sizes for what everybody sees: three panes, two, the narrowest with two, one, and the smallest. */
const ALL_SIZES: readonly Size[] = [
	{ columns: 200, rows: 60 },
	...GOLDEN_SIZES.slice(0, 1),
	{ columns: 110, rows: 35 },
	...GOLDEN_SIZES.slice(1),
];

/** The scenes that are drawn at all sizes. */
const AT_ALL_SIZES: readonly string[] = ["list", "reader", "changes"];

const collection = collectionOfFile(undefined, GOLDEN_TEMPORARY);

/** The screen as rows of text, as a terminal shows it. */
async function screenOf(driver: Driver, columns: number, rows: number): Promise<string> {
	await driver.until(
		"what reads Markdown and code, where it is needed",
		(state) => !RENDERERS.of(state).isLoading && !CODE_COLORS.of(state).isLoading,
	);
	return shownScreen(driver, columns, rows);
}

/** Whether nothing that is shown is still being read or counted. */
function isWhole(state: State): boolean {
	const { detail, tree } = state;
	// The box of commands has Undo until the journal says that there is nothing to undo.
	const steps = NEXT_STEPS.of(state);
	if (steps.isLoading || steps.isStale) return false;
	if (detail.status === "loading" || (tree.hits !== undefined && !tree.hits.complete)) return false;
	const { query, results } = searchOf(state);
	if (query.terms.length > 0 && detail.status === "ready" && tree.hits === undefined) return false;
	return selectList(state).rows.every(({ row }) => results.get(row.path)?.more !== true);
}

/** Compares the screen at each size with its golden one. */
async function expectGolden(driver: Driver, name: string, sizes: readonly Size[] = GOLDEN_SIZES): Promise<void> {
	for (const { columns, rows } of sizes) {
		driver.send({ type: "resize", columns, rows });
		await driver.until("the tree, if any, with all hits", isWhole);
		const screen = await screenOf(driver, columns, rows);
		await expect(screen).toMatchFileSnapshot(join("golden", `${name}-${columns}x${rows}.txt`));
	}
}

/**
 * Golden screens: `vitest -u` rewrites them; look at the difference before you commit it. One program shows a screen at all
 * sizes.
 */
describe("a screen at each size", () => {
	const scenes: readonly Scene[] = [
		["list", "Refactor the import parser"],
		["entry", "Refactor the import parser", "next-pane", "up", "next-pane"],
		[
			"reader",
			"Refactor the import parser",
			"next-pane",
			"up",
			"next-pane",
			"full-page",
			"previous-prompt",
			"previous-prompt",
		],
		["turns", "Refactor the import parser", "next-pane", "filter-turns"],
		["errors", "Refactor the import parser", "next-pane", "filter-errors"],
		["changes", "Refactor the import parser", "next-pane", "changes"],
		["labeled", "Refactor the import parser", "next-pane", "filter-labeled-only"],
		["delete", "Try zod first", "delete"],
		["rename", "Weekly note", "rename"],
		["sort", "Weekly note", "sort"],
		["problems", "Fuzz the parser", "problems"],
	];
	test.each(scenes)("%s", async (name, select, ...bindings) => {
		const driver = await startProgram(undefined, { collection: collection() });
		await selectIn(driver, select);
		driver.press(...bindings);
		await driver.until("what an open page finds out", (state) =>
			state.overlays.every(
				({ kind }) =>
					(kind !== "changes" || isCurrent(CHANGED, state)) && (kind !== "maintenance" || !isLooking(state)),
			),
		);
		await expectGolden(driver, name, AT_ALL_SIZES.includes(name) ? ALL_SIZES : GOLDEN_SIZES);
	});

	test.each([
		["hits", "retry"],
		["others", "parsers"],
		["chips", "import", "scope", "named"],
		["commands", "", "help"],
	] as const)("with a query or a menu: %s", async (name, text, ...bindings) => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.press("first", ...bindings);
		if (text !== "") driver.type(text);
		// What the reader shows is decided by the best hit, which is known when all are counted.
		await driver.idle();
		await expectGolden(driver, name, ALL_SIZES);
	});

	/** What these show depends on the size that the terminal had before. */
	const sized: readonly Scene[] = [
		["tree", "Refactor the import parser", "next-pane", "up", "up", "up"],
		["opened", "Refactor the import parser", "next-pane", "all-branches", "previous-error"],
		["branch", "検索を日本語", "next-pane", "up", "branch"],
		["keys", "Weekly note", "help", "page-down"],
		["key-help", "Weekly note", "help", "keys"],
	];
	test.each(sized.flatMap((scene) => GOLDEN_SIZES.map((size) => ({ scene, size, name: scene[0], ...size }))))(
		"$name, opened at $columns×$rows",
		async ({ scene: [name, select, ...bindings], size }) => {
			const driver = await startProgram(size, { collection: collection() });
			await selectIn(driver, select);
			driver.press(...bindings);
			await expectGolden(driver, name, [size]);
		},
	);

	test.each([
		["marked", ["mark", "mark", "down", "down", "mark"]],
		["stage", ["mark", "mark", "down", "mark", "stage"]],
		["delete-all", ["first", "mark", "mark", "mark", "mark", "mark", "mark", "delete"]],
	] as const)("several at once: %s", async (name, bindings) => {
		const driver = await startProgram(undefined, { collection: collection() });
		await selectIn(driver, "Try zod first");
		for (const id of bindings) {
			await driver.idle();
			driver.press(id);
		}
		await expectGolden(driver, name);
	});

	test.each([
		["stats"],
		["stats-days", "first", "down", "earlier-week", "later-week"],
		["stats-shown", "down", "show-in-list"],
	] as const)("statistics: %s", async (name, ...bindings) => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.press("stats");
		await driver.until(
			"the count of all",
			(state) => STATS_SUM.of(state).value?.counted === 14 && isCurrent(STATS_SUM, state),
		);
		driver.press(...bindings);
		// In a small terminal there are no days.
		await expectGolden(driver, name, name === "stats-days" ? GOLDEN_SIZES.slice(0, 2) : GOLDEN_SIZES);
	});

	test.each([
		["saved", ""],
		["saved-chosen", "pars"],
		["completing", "is:"],
	])("%s", async (name, text) => {
		const driver = await startProgram(undefined, { collection: collection() });
		for (const line of ["is:branched error :save flaky", "parser role:user :save the parser, as I asked for it"]) {
			driver.type(line);
			driver.press("save-typed", "back");
		}
		await driver.until("both", ({ saved, changing }) => saved.queries.length === 2 && changing === 0);
		if (name === "saved-chosen") driver.press("help");
		driver.type(text);
		if (name === "saved") driver.press("up");
		if (name === "completing") driver.press("complete", "complete", "complete");
		await driver.until("the answer", (state) => isSearched(state) && state.detail.status !== "loading");
		await expectGolden(driver, name);
	});

	test.each([
		["invalid", "re:("],
		["nothing", "roel:user retry"],
	])("filtered to nothing: %s", async (name, text) => {
		const driver = await startProgram(undefined, { collection: collection() });
		driver.type(text);
		const isThere = (state: State): boolean => selectAlternatives(state).alternatives.length > 0;
		await driver.until("the answer", (state) => searchOf(state).mistake !== undefined || isThere(state));
		await expectGolden(driver, name);
	});
});

/** A machine that hangs, with rows of three days ago; one that cannot be reached; a directory; and one that is not there. */
async function places(): Promise<NonNullable<StartProgramOptions["places"]>> {
	const ssh = fakeSsh(
		`case "$*" in *mini*) exec sleep 60;; esac; echo 'ssh: connect to host rack.lan port 22: No route to host' >&2; exit 255`,
	);
	const cacheDir = join(collection().demo.home, "cache");
	const keep = (name: string, host: string, count: number): void => {
		const rows = Array.from({ length: count }, (_, index) => ({
			...ROW,
			path: `/home/bo/.pi/${index}.jsonl`,
			id: `${name}${index}`,
			cwd: "/home/bo/work/api",
			firstMessage: `Question ${index}`,
			modified: NOW - (index + 3) * 86_400_000,
		}));
		const head = { kept: 3, place: `ssh ${host} `, said: HELLO, listedMs: NOW - 3 * 86_400_000 };
		mkdirSync(join(cacheDir, "places"), { recursive: true });
		const lines = [head, ...rows].map((line) => JSON.stringify(line));
		writeFileSync(join(cacheDir, "places", `${name}.jsonl`), [...lines, "end"].join("\n"));
	};
	keep("mini", "ada@mini.local", 3);
	keep("rack", "rack.lan", 1);
	const old = tempAgentDir();
	old.write(
		"--w--/old.jsonl",
		lines(header({ id: "old", cwd: "/srv/old" }), user("a", null, 1, "What was there before?")),
	);
	const list = [
		{ name: "mini", ssh: "ada@mini.local" },
		{ name: "rack", ssh: "rack.lan" },
		{ name: "old", dir: old.agent },
		{ name: "gone", dir: "/mnt/backup/agent" },
	];
	return { list, env: ssh.options.env };
}

test.each([["everywhere"], ["places", "places"]])("other places: %s", async (name, ...bindings) => {
	const driver = await startProgram(undefined, { collection: collection(), places: await places() });
	toScope(driver, "everywhere");
	await driver.until(
		"what they have answered",
		({ catalog }) =>
			catalog.places.map(({ phase }) => phase).join() === "asking,failed,listed,failed" &&
			catalog.rows.size === catalog.here.size + 5 &&
			// The hosts never say what they have counted.
			catalog.rows.values().every(({ path, place = "old" }) => place !== "old" || catalog.counts.has(path)),
	);
	driver.press("first");
	await driver.idle();
	driver.press(...bindings);
	await expectGolden(driver, name);
});

test("a terminal that is too small says so", async () => {
	const driver = await startProgram({ columns: 39, rows: 9 }, { collection: collection() });
	expect(await screenOf(driver, 39, 9)).toContain("pi-grove needs 40×10");
});

/** In a narrow terminal no tree is read while the list has the focus, so none is waited for. */
async function selectIn(driver: Driver, text: string): Promise<void> {
	const rows = [...driver.program.getState().catalog.rows.values()];
	const wanted = rows.find((row) => `${row.name ?? ""} ${row.firstMessage}`.includes(text))?.path;
	driver.press("first");
	for (let moves = 0; moves < rows.length && driver.program.getState().list.selected !== wanted; moves++)
		driver.press("down");
	expect(driver.program.getState().list.selected).toBe(wanted);
	driver.press("next-pane");
	await driver.until("the tree", ({ detail }) => detail.status === "ready" && detail.row.path === wanted);
	driver.press("previous-pane");
}
