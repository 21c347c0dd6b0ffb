import { spawnSync } from "node:child_process";

/** The processor time of a program as a whole process, with all its threads and system calls, in ms. Needs bash. */
export function workOf(args: readonly string[], env: NodeJS.ProcessEnv): number {
	const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null';
	const { status, stderr } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], {
		env,
		encoding: "utf8",
	});
	if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
	const [user = Number.NaN, system = Number.NaN] = (stderr.trimEnd().split("\n").at(-1) ?? "").split(" ").map(Number);
	return (user + system) * 1000;
}

/**
 * Measures things in turn, so often, and returns the least of each: whatever else the machine does can only add. The first round is
 * not counted.
 */
export async function leastInTurn(
	rounds: number,
	things: readonly (() => number | Promise<number>)[],
): Promise<number[]> {
	const values = things.map((): number[] => []);
	for (let round = 0; round <= rounds; round++)
		for (const [index, measure] of things.entries()) {
			const value = await measure();
			if (round > 0) values[index]?.push(value);
		}
	return values.map((all) => Math.min(...all));
}
