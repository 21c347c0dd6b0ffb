import { execFileSync } from "node:child_process";

/** Runs npm as the script that runs this one was started with; `npm` itself is no program on Windows. Returns its output. */
export function npm(args: readonly string[], cwd: string): string {
	const path = process.env.npm_execpath;
	if (path === undefined) throw new Error("Run this with npm: npm run test:package");
	return execFileSync(process.execPath, [path, ...args], { cwd, encoding: "utf8" });
}
