import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageOf } from "../../src/app/world/state/overlays.ts";
import { collectionOfFile } from "../support/collection.ts";
import { fixtureDir } from "../support/fixture.ts";
import { NOW } from "../support/rows.ts";
import { GOLDEN_SIZES, shownScreen } from "../support/shown-screen.tsx";
import { startProgram } from "../support/start-program.ts";
import { GOLDEN_TEMPORARY } from "../support/temp-dir.ts";
import { type TimedRun, writeTimedFamily } from "../support/timed-family.ts";

const HOUR = 3_600_000;

/** Runs of runs, some at once; an afternoon and the next morning. */
const DEEP: readonly TimedRun[] = [
	{ agent: "scout", task: "where is the tax code used?", from: 20, to: 92 },
	{
		agent: "worker",
		task: "split the invoices module",
		from: 110,
		to: 953,
		runs: [
			{ agent: "reader", task: "how are totals rounded?", from: 150, to: 300 },
			{
				agent: "tester",
				task: "端数処理のテストを書く",
				from: 320,
				to: 800,
				runs: [{ agent: "runner", task: "run them on Node 22", from: 500, to: 700, status: "error" }],
			},
		],
	},
	{ agent: "reviewer", task: "find what the worker missed", from: 400, to: 700, status: "aborted" },
	{ agent: "librarian", task: "look up the docs", from: 130, to: 190, status: "stopped", inMemory: true },
];

/** A hundred runs, up to eight at once, over five hours. */
const MANY: readonly TimedRun[] = Array.from({ length: 100 }, (_, index) => {
	const from = 60 + Math.floor(index / 8) * 1400 + (index % 8) * 20;
	const status = index % 17 === 3 ? ({ status: "error" } as const) : {};
	const to = from + 60 + ((index * 37) % 23) * 50;
	return {
		agent: ["scout", "worker", "reviewer"][index % 3] ?? "",
		task: `look at part ${index + 1}`,
		from,
		to,
		...status,
	};
});

const collection = collectionOfFile(({ agentDir }) => {
	const sessions = join(agentDir, "sessions");
	const place = { cwd: "/work/billing", startMs: NOW - 20 * HOUR };
	const turns = [
		{ from: 2, to: 980, runs: DEEP },
		{ from: 64_000, to: 64_300 },
	];
	writeTimedFamily(join(sessions, "--work-billing--"), "8aaa", {
		...place,
		title: "Migrate the billing tables",
		turns,
	});
	const many = [{ from: 2, to: 18_500, runs: MANY }];
	writeTimedFamily(join(sessions, "--work-many--"), "8bbb", { ...place, title: "Look at all parts", turns: many });
	cpSync(join(fixtureDir, "families", "nested"), sessions, { recursive: true });
}, GOLDEN_TEMPORARY);

const SIZES = [{ columns: 200, rows: 60 }, ...GOLDEN_SIZES] as const;

/** The title of a session, and the keys that are pressed once its timeline is open. */
const SCENES: readonly (readonly [name: string, title: string, ...keys: string[]])[] = [
	["deep", "Migrate the billing tables"],
	["deep-run", "Migrate the billing tables", "e", "e"],
	["hundred", "Look at all parts", "pageDown"],
	["nested", "Find out how things are stored", "end"],
];

/** Golden screens of the timeline: `vitest -u` rewrites them; look at the difference before you commit it. */
test.each(SCENES)("the timeline: %s", async (name, title, ...keys) => {
	const driver = await startProgram(SIZES[0], { collection: collection() });
	await driver.select(title);
	driver.press("timeline");
	driver.send({ type: "keys", keys });
	await driver.until("what it did", (state) => pageOf(state) === "timeline" && state.detail.status !== "loading");
	for (const { columns, rows } of SIZES) {
		driver.send({ type: "resize", columns, rows });
		const screen = await shownScreen(driver, columns, rows);
		await expect(screen).toMatchFileSnapshot(join("golden", "timeline", `${name}-${columns}x${rows}.txt`));
	}
});
