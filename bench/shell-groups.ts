import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ms, row } from "./key-medians.ts";
import { runShell } from "./shell-run.ts";
import { makeHome } from "./small-sessions.ts";

/**
 * The built program in the shell: `export`, `delete` and `restore`, the last two undone, of 1,000 and of 4,000 sessions named by their paths.
 * What a session costs should not grow with their number. Run with `npm run bench -- shell-groups`.
 */
const program = join(import.meta.dirname, "..", "dist", "cli.js");
const SIZES = [1000, 4000];
const GOAL_MB = 600;

for (const size of SIZES) {
	const folder = mkdtempSync(join(tmpdir(), "pi-grove-bench-shell-"));
	const remove = (): void => rmSync(folder, { recursive: true, force: true });
	process.once("exit", remove);
	const env = { ...makeHome(folder, size), XDG_DATA_HOME: join(folder, "data") };
	const paths = jsonlIn(join(folder, ".pi"));
	const out = join(folder, "out");
	mkdirSync(out);
	const count = size.toLocaleString("en-US");
	const measure = async (name: string, args: readonly string[], isDone: () => boolean): Promise<void> => {
		const { code, worked, took, peakMb } = await runShell(program, env, args);
		if (code !== 0 || !isDone()) throw new Error(`${name} of ${count} sessions has not done it: exit code ${code}`);
		const each = `${(worked / size).toFixed(1)} ms each`;
		row(
			`${count} sessions: ${name}`,
			`${GOAL_MB} MB`,
			`${ms(worked)} on a processor, ${each}, ${ms(took)} by the clock; ${peakMb} MB`,
		);
	};
	const left = (): number => jsonlIn(join(folder, ".pi")).length;
	await measure("list --json, cold", ["list", "--json"], () => true);
	await measure("export", ["export", "--out", out, ...paths], () => readdirSync(out).length === size);
	const isGone = (): boolean => left() === 0;
	const isThere = (): boolean => left() === size;
	await measure("delete", ["delete", "--yes", ...paths], isGone);
	await measure("undo of delete", ["undo", "--yes"], isThere);
	await measure("delete once more", ["delete", "--yes", ...paths], isGone);
	await measure("restore", ["restore", "--yes", ...paths], isThere);
	await measure("undo of restore", ["undo", "--yes"], isGone);
	remove();
	process.off("exit", remove);
}

function jsonlIn(folder: string): readonly string[] {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	return entries.flatMap(({ name, parentPath }) => (name.endsWith(".jsonl") ? [join(parentPath, name)] : []));
}
