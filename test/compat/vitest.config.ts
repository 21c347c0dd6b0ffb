import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const test = { testTimeout: 600_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

/** Tests of what runs inside pi, with every version whose bundle is unpacked. */
const IN_PI = ["in-pi*.test.ts"];

/** Tests with another program than pi. */
const WITHOUT_PI = ["duckdb.test.ts"];

export default defineConfig({
	test: {
		root: import.meta.dirname,
		// They wait for programs more than they work.
		maxWorkers: Math.max(2, availableParallelism() - 1),
		projects: [
			{ test: { ...test, include: WITHOUT_PI, name: "duckdb" } },
			...["0.87.1", "1.5.2", "1.6.0"].map((version) => ({
				test: {
					...test,
					include: ["*.test.ts"],
					exclude: [...IN_PI, ...WITHOUT_PI],
					name: `pi ${version}`,
					env: { PI_VERSION: version },
				},
			})),
			...["0.87.1", "0.99.1", "1.0.3", "1.3.0", "1.4.0", "1.5.0", "1.5.2", "1.6.0"].map((version) => ({
				test: { ...test, include: IN_PI, name: `in pi ${version}`, env: { PI_VERSION: version } },
			})),
		],
	},
});
