import { spawn, spawnSync } from "node:child_process";
import { CommandProcess } from "./command-process.ts";
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
	/** @default the sandbox's home directory */
	readonly cwd?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Much longer than any command takes on a busy machine: one that hangs ends with the code null. */
const HANGS_MS = 120_000;

/** Of all test files that this process runs, by the `NODE_OPTIONS` that they begin with; they end with this process. */
const shared = new Map<string | undefined, CommandProcess>();

/**
 * Runs the program to its end, without a terminal, in a process that runs other command lines, too.
 * `env` is added to the sandbox's.
 */
export function run(sandbox: Sandbox, args: readonly string[], env: Env = {}, cwd: string = sandbox.home): RunResult {
	// There are no named pipes.
	if (process.platform === "win32") return runAlone(sandbox, args, env, { cwd });
	const { NODE_OPTIONS: options } = env;
	let child = shared.get(options);
	if (child?.isOver === true) child.close();
	if (child === undefined || child.isOver) {
		child = new CommandProcess(programPath, options);
		shared.set(options, child);
	}
	return child.run({ args, env: defined({ ...environment(sandbox), ...env }), cwd });
}

/** Runs the program to its end, without a terminal, in a process of its own. `env` is added to the sandbox's. */
export function runAlone(
	sandbox: Sandbox,
	args: readonly string[],
	env: Env = {},
	{ node = process.execPath, program = programPath, cwd = sandbox.home }: RunProgram = {},
): RunResult {
	const { status, stdout, stderr } = spawnSync(node, [program, ...args], {
		encoding: "utf8",
		env: { ...environment(sandbox), ...env },
		cwd,
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

function defined(env: Env): Record<string, string> {
	return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
