import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * What an install fetches, and what a start costs against an empty Node: `npm run bench -- package`. npm must be able to
 * fetch the packages.
 */
const folder = mkdtempSync(join(tmpdir(), "pi-grove-bench-package-"));
const root = join(import.meta.dirname, "..");
const RUNS = 15;

function npm(args: readonly string[], cwd: string): void {
	execFileSync("npm", [...args], { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

/** Bytes of all files below a directory. */
function bytesBelow(directory: string): number {
	return readdirSync(directory, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** The median time from the start of a process to its end, in milliseconds; the programs in turn, so that noise is shared. */
function medians(programs: readonly (readonly string[])[]): number[] {
	const env = { ...process.env, PI_CODING_AGENT_DIR: join(folder, "agent"), XDG_CACHE_HOME: join(folder, "cache") };
	const times = programs.map((): number[] => []);
	for (let run = 0; run < RUNS; run++) {
		for (const [index, args] of programs.entries()) {
			const began = performance.now();
			const { status, stderr } = spawnSync(process.execPath, [...args], { env, encoding: "utf8" });
			if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
			times[index]?.push(performance.now() - began);
		}
	}
	return times.map((all) => all.sort((one, other) => one - other)[Math.floor(RUNS / 2)] ?? Number.NaN);
}

try {
	const installed = join(folder, "installed");
	mkdirSync(installed);
	mkdirSync(join(folder, "agent", "sessions"), { recursive: true });
	writeFileSync(join(installed, "package.json"), '{ "private": true }');
	npm(["pack", "--silent", "--pack-destination", folder], root);
	const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
	npm(["install", "--silent", "--no-audit", "--no-fund", tarball], installed);
	const packages = readdirSync(join(installed, "node_modules")).filter((name) => !name.startsWith("."));
	const program = join(installed, "node_modules", "pi-grove", "dist", "cli.js");
	const [empty = Number.NaN, version = Number.NaN, list = Number.NaN] = medians([
		["-e", "0"],
		[program, "--version"],
		[program, "list"],
	]);
	const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
	console.log(`| tarball | ${mb(statSync(tarball).size)} |`);
	console.log(`| installed, with all that it needs | ${mb(bytesBelow(installed))} in ${packages.join(", ")} |`);
	console.log(`| pi-grove --version against an empty Node | ${ratio(version, empty)} |`);
	console.log(`| pi-grove list, no sessions, against it | ${ratio(list, empty)} |`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

function ratio(ms: number, base: number): string {
	return `${ms.toFixed(0)} ms, ${(ms / base).toFixed(2)} ×`;
}
