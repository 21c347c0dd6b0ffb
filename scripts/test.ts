/**
 * The whole test command: the tests, and beside them the check of types, style and unused code. Arguments go to vitest.
 * Fails when either fails; what the check says comes last, in one piece.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const check = spawn("npm", ["run", "--silent", "check"], { stdio: ["ignore", "pipe", "pipe"], shell: isWindows() });
const said: Buffer[] = [];
for (const stream of [check.stdout, check.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
const tests = spawn("npx", ["vitest", "run", ...process.argv.slice(2)], { stdio: "inherit", shell: isWindows() });

const [checkCode, testCode] = await Promise.all([exitCode(check), exitCode(tests)]);
process.stdout.write(Buffer.concat(said));
if (checkCode !== 0) console.error("The check failed: see above (npm run check).");
process.exitCode = checkCode || testCode;

/** The exit code of a process; 1 for one that was ended by a signal. */
async function exitCode(child: ChildProcess): Promise<number> {
	const [code] = await once(child, "close");
	return code ?? 1;
}

/** There, npm and npx are batch files, which only a shell can start. */
function isWindows(): boolean {
	return process.platform === "win32";
}
