import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Builds the program once before the tests that run it; the library's types, which no program needs, are left out. */
export default function buildProgram(): void {
	const root = join(import.meta.dirname, "../..");
	const built = spawnSync(process.execPath, ["esbuild.config.mjs"], { cwd: root, encoding: "utf8" });
	if (built.status !== 0) throw new Error(`The build failed:\n${built.stdout}${built.stderr}`);
}
