import { spawn, spawnSync } from "node:child_process";
import { programPath, type Sandbox } from "./sandbox.ts";

/** How a run ended, and what it wrote. */
export interface RunResult {
	readonly code: number | null;
	readonly out: string;
	readonly err: string;
}

/** Which program is run, and by which Node; by default the one that was built, by this one. */
interface RunProgram {
	readonly node?: string;
	readonly program?: string;
}

/** Much longer than any command takes on a busy machine: one that hangs ends with the code null. */
const HANGS_MS = 120_000;

/** Runs the program to its end, without a terminal. `env` is added to the sandbox's. */
export function run(
	sandbox: Sandbox,
	args: readonly string[],
	env: Readonly<Record<string, string | undefined>> = {},
	{ node = process.execPath, program = programPath }: RunProgram = {},
): RunResult {
	const { status, stdout, stderr } = spawnSync(node, [program, ...args], {
		encoding: "utf8",
		env: { ...environment(sandbox), ...env },
		cwd: sandbox.home,
		timeout: HANGS_MS,
		maxBuffer: 1 << 30,
	});
	return { code: status, out: stdout, err: stderr };
}

/** Runs it into a pipe that nobody reads. */
export async function runIntoClosedPipe(sandbox: Sandbox, args: readonly string[]): Promise<RunResult> {
	const child = spawn(process.execPath, [programPath, ...args], { env: environment(sandbox), cwd: sandbox.home });
	let err = "";
	child.stderr.on("data", (data) => {
		err += data;
	});
	child.stdout.destroy();
	const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
	return { code, out: "", err };
}

function environment(sandbox: Sandbox): NodeJS.ProcessEnv {
	const { PI_CODING_AGENT_SESSION_DIR, FORCE_COLOR, ...own } = process.env;
	return { ...own, ...sandbox.env };
}
