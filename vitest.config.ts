import { globSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { memoryDirectory } from "./test/support/memory-directory.ts";
import { whyNotOnWindows } from "./test/support/not-on-windows.ts";
import { slowestFiles } from "./test/support/slowest-files.ts";

/** What the programs that tests start compile is compiled once. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, "node_modules/.cache/pi-grove/compiled");

/**
 * Tests make and remove tens of thousands of small files, which takes a disk a tenth of their processor time. The long run,
 * whose time matters less, is on the disk, as the sessions of a person are.
 */
if (process.env.PI_GROVE_CASES === undefined) process.env.TMPDIR = memoryDirectory() ?? tmpdir();

/**
 * Components are drawn into pipes, where chalk would leave the styles out, and Ink would start programs that tell the size of
 * the terminal; times are shown as on a machine in UTC.
 */
const env = { FORCE_COLOR: "1", COLUMNS: "80", LINES: "24", TZ: "UTC", NODE_COMPILE_CACHE };

/**
 * Node strips the types of each thread's sources by a WebAssembly module that all threads share. When many threads end, V8
 * 13.6 may free its code twice, which ends the process (SIGSEGV in `NativeModule::FreeCode`). The bundle has no such module.
 */
const execArgv = ["--no-wasm-code-gc"];

/**
 * A test makes much that soon nobody needs. With room for it of 64 MB instead of 16 (in each of the two halves), garbage is collected more
 * rarely: 1,380 tests took 65 s of processor time instead of 78. Not where a test measures its own memory.
 */
const roomForGarbage = ["--min-semi-space-size=64", "--max-semi-space-size=64"];

// The comparison with pi installs pi, the test of the package other versions of Node: both run on their own.
const parts = globSync("test/**/*.test.{ts,tsx}", {
	cwd: import.meta.dirname,
	exclude: ["test/attack/**", "test/cli/**", "test/compat/**", "test/package/**"],
}).map((path) => path.replaceAll("\\", "/"));

/**
 * What changes the modules or the V8 settings of the process that it runs in, or measures it, or compares two times so closely that
 * it must be a new one. What only changes its environment, its clock or
 * functions with `vi` need not be alone: all are restored behind each file (`data-home.ts`).
 */
const CHANGES_ITS_PROCESS = /vi\.mock|process\.(env\.\w+ = |chdir|argv|memoryUsage|threadCpuUsage)|expectLinear/;

/** Leave a process with hundreds of megabytes that it never gives back. */
const FILLS_ITS_PROCESS = [
	"test/app/features/reader/block-in-sight.test.ts",
	"test/conversation/blocks/entry-blocks.test.ts",
	"test/conversation/render/every-character.test.ts",
	"test/app/core/screen/unicode-lists.test.ts",
	"test/app/features/statistics/stats-text.test.ts",
	"test/store/actions/large-changes.test.ts",
	"test/store/deep-values.test.ts",
	"test/store/doctor/doctor.test.ts",
];

for (const path of FILLS_ITS_PROCESS)
	if (!parts.includes(path)) throw new Error(`The list of files that fill their process names ${path}, which is gone`);

/** On Windows a file that is known not to work there is not even loaded. */
const runnable = parts.filter((path) => process.platform !== "win32" || whyNotOnWindows(path) === undefined);

/** Each of these files needs a process of its own; the others share a few, each of which loads the sources once. */
const isolated = runnable.filter((path) =>
	CHANGES_ITS_PROCESS.test(readFileSync(join(import.meta.dirname, path), "utf8")),
);

/**
 * The others by what they load and leave. A process keeps that, and the larger it is, the longer it takes to collect garbage, and to
 * start another program: 1 ms from a process of 50 MB and 37 ms from one of 1.5 GB, and the catalog's start thousands.
 */
const sharing = Object.groupBy(
	runnable.filter((path) => !isolated.includes(path)),
	(path) => {
		if (FILLS_ITS_PROCESS.includes(path)) return "parts large";
		return /^test\/(?:app|catalog)\//.test(path) ? `parts ${path.split("/")[1]}` : "parts others";
	},
);

/** Longer than anything takes while other programs keep the machine busy: only what hangs waits that long. */
const patience = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };

/**
 * Test files at once. Those of the parts wait now and then, for timers, threads and disks; those of the program wait most of their time,
 * for programs that start, draw and end. Each more is a process that loads the sources and compiles them until they are fast.
 */
const workers = { parts: availableParallelism() + 1, program: 2 * availableParallelism() };

const forParts = {
	globalSetup: "test/support/data-homes.ts",
	setupFiles: ["test/support/patch-ink.ts", "test/support/data-home.ts", "test/support/skip-on-windows.ts"],
	env,
	execArgv,
	maxWorkers: workers.parts,
	...patience,
};

/** Threads start from their bundles. */
const resolve = {
	alias: [
		{
			find: /^(\.\.\/)+shared\/worker-url\.ts$/,
			replacement: join(import.meta.dirname, "test/support/bundled-programs.ts"),
		},
	],
};

export default defineConfig({
	test: {
		reporters: ["default", slowestFiles],
		sequence: { sequencer: LongestFirst },
		globalSetup: "test/support/bundle-programs.ts",
		projects: [
			...Object.entries(sharing).map(([name, include]) => ({
				resolve,
				test: { ...forParts, execArgv: [...execArgv, ...roomForGarbage], name, isolate: false, include },
			})),
			{ resolve, test: { ...forParts, name: "parts apart", include: isolated } },
			{
				test: {
					name: "program",
					isolate: false,
					env: { NODE_COMPILE_CACHE },
					include: ["test/{attack,cli}/**/*.test.ts"],
					globalSetup: "test/support/build.ts",
					maxWorkers: workers.program,
					// Projects that have different numbers of workers cannot run at once.
					sequence: { groupOrder: 1 },
					...patience,
				},
			},
		],
	},
});
