import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * One measurement, by its name: `npm run bench -- NAME [ARGUMENTS]`. The program is built first. Without a name, or with one that
 * does not exist, the names are printed. See bench/README.md.
 */
const NAMES: Readonly<Record<string, string>> = {
	catalog: "finding, listing, watching, counting and searching sessions",
	screen: "from the start of the process to the first complete screen",
	start: "short commands and the first list, as whole processes",
	search: "the browser's search, from a typed word until all is known",
	"list-keys": "keys in the list of 1,000, 30,000 and 100,000 sessions",
	reading: "keys in the tree and the reader of 100 and 100,000 entries",
	files: "what a session changed: diff, blame, the page of changes",
	groups: "1,000 sessions archived, deleted, restored and undone by one key",
	"shell-groups": "the same in the shell",
	families: "2,000 runs of subagents against none",
	places: "ten machines with 3,000 sessions each, 50 ms away",
	extremes: "every key and command in eight extreme directories",
	judged: "how often the search has what was meant first",
	store: "the store with twice the entries",
	package: "what an install fetches, and what a start costs",
};

const [name = "", ...args] = process.argv.slice(2);
const file = join(import.meta.dirname, `${name}.ts`);
if (!Object.hasOwn(NAMES, name)) {
	const lines = Object.entries(NAMES).map(([one, what]) => `  ${one.padEnd(13)} ${what}`);
	process.stderr.write(`npm run bench -- NAME [ARGUMENTS]\n\n${lines.join("\n")}\n`);
	process.exit(name === "" ? 0 : 2);
}
const root = join(import.meta.dirname, "..");
const build = spawnSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit" });
const run =
	build.status === 0 ? spawnSync(process.execPath, ["--expose-gc", file, ...args], { stdio: "inherit" }) : build;
process.exit(run.status ?? 1);
