/**
 * Runs command lines of the program one after the other in this process, each in a situation of its own, and notes how each
 * ended: `node situation-child.mjs PLAN NOTES`. PLAN is a JSON file of `Plan` (`situations.ts`); NOTES gets a line of JSON for
 * each command line. The program is imported anew each time, as `node dist/cli.js` does it once.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , planPath, notesPath] = process.argv;
const { program, steps } = JSON.parse(readFileSync(planPath, "utf8"));
const terminal = openSync("/dev/tty", "r+");
// Each import of the program adds its own.
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

/** Bytes of a stream that goes into a file. */
const sizeOf = (fd) => fstatSync(fd).size;

for (const [index, { args, env, size }] of steps.entries()) {
	for (const [name, value] of Object.entries(env)) {
		if (value === null) delete process.env[name];
		else process.env[name] = value;
	}
	spawnSync("stty", ["cols", String(size[0]), "rows", String(size[1])], { stdio: [terminal, "ignore", "ignore"] });
	for (const stream of [process.stdout, process.stderr]) stream._refreshSize?.();
	writeSync(terminal, `\x1e${index}\n`);
	const from = [sizeOf(1), sizeOf(2)];
	process.argv = [process.execPath, program, ...args];
	process.exitCode = undefined;
	await import(`${pathToFileURL(program).href}?${index}`);
	const note = { code: process.exitCode ?? 0, out: [from[0], sizeOf(1)], err: [from[1], sizeOf(2)] };
	appendFileSync(notesPath, `${JSON.stringify(note)}\n`);
}
writeSync(terminal, "\x1e");
process.exit();
