import { globSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { workerEntryPoints } from "../../src/shared/worker-url.ts";
import { BUNDLED_PROGRAMS, bundledName } from "./bundled-programs.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Bundles the worker threads, and the programs that tests run in processes of their own, before the tests that start them
 * by the hundred: from its sources a thread takes 240 to 300 ms of processor time, since Node strips the types of each
 * module again, from a bundle 50.
 */
export default async function bundlePrograms(project: TestProject): Promise<void> {
	const bundle = async (): Promise<void> => {
		const children = globSync("test/**/*-child.ts", { cwd: root }).map((path) => [bundledName(path), join(root, path)]);
		await build({
			entryPoints: { ...workerEntryPoints(root), ...Object.fromEntries(children) },
			outdir: BUNDLED_PROGRAMS,
			entryNames: "[name]",
			bundle: true,
			format: "esm",
			platform: "node",
			target: "node22",
			// These find files beside themselves.
			alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
			external: ["@vscode/ripgrep", "re2js", "trash"],
			banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
			sourcemap: "linked",
			logLevel: "warning",
		});
	};
	await bundle();
	project.onTestsRerun(bundle);
}
