import { execFileSync } from "node:child_process";

/** Builds the program once, before the tests that run it. */
export default function buildProgram(): void {
	execFileSync(process.execPath, ["esbuild.config.mjs"], { stdio: "inherit" });
}
