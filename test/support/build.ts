import { spawnSync } from "node:child_process";

/** Builds the program once before the tests that run it. */
export default function buildProgram(): void {
	const built = spawnSync("npm", ["run", "--silent", "build"], { encoding: "utf8" });
	if (built.status !== 0) throw new Error(`npm run build failed:\n${built.stdout}${built.stderr}`);
}
