import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Components are drawn into pipes, where chalk would leave the styles out. */
const env = { FORCE_COLOR: "1" };

/**
 * Node strips the types of each thread's sources by a WebAssembly module that all threads share. When many threads end, V8
 * 13.6 may free its code twice, which ends the process (SIGSEGV in `NativeModule::FreeCode`). The bundle has no such module.
 */
const execArgv = ["--no-wasm-code-gc"];

export default defineConfig({
	test: {
		// Most tests wait for threads, disks and terminals: on two cores one file at a time takes nearly twice as long.
		maxWorkers: Math.max(2, availableParallelism() - 1),
		projects: [
			{
				test: {
					name: "parts",
					setupFiles: ["test/support/patch-ink.ts"],
					include: ["test/**/*.test.{ts,tsx}"],
					// The comparison with pi installs pi, the test of the package other versions of Node: both run on their own.
					exclude: ["test/cli/**", "test/compat/**", "test/package/**", "**/node_modules/**"],
					env,
					execArgv,
					// Some write and read thousands of files; a busy machine takes several times as long.
					testTimeout: 30_000,
					hookTimeout: 30_000,
				},
			},
			{
				test: {
					name: "program",
					include: ["test/cli/**/*.test.ts"],
					globalSetup: "test/support/build.ts",
					testTimeout: 30_000,
					hookTimeout: 30_000,
				},
			},
		],
	},
});
