import { expect, test, vi } from "vitest";
import { runGrove } from "../../extensions/grove-program.ts";

/** A program that stands for pi-grove. */
function program(source: string): readonly string[] {
	return [process.execPath, "-e", source];
}

test("what a command prints and how it ends", async () => {
	const source = 'console.log("out"); console.error("err"); process.exitCode = 1';
	expect(await runGrove(program(source), process.cwd(), undefined)).toEqual({ code: 1, out: "out\n", err: "err\n" });
});

test("it waits for no key, and does not know that it is in pi", async () => {
	vi.stubEnv("PI_GROVE_HOST", "{}");
	const source = 'process.stdin.on("end", () => console.log(process.env.PI_GROVE_HOST)).resume()';
	expect(await runGrove(program(source), process.cwd(), undefined)).toMatchObject({ code: 0, out: "undefined\n" });
});

test("it ends when the agent is stopped, and says when it cannot be started", async () => {
	const stop = new AbortController();
	const running = runGrove(program("setInterval(() => {}, 1000)"), process.cwd(), stop.signal);
	stop.abort();
	await expect(running).rejects.toThrow("aborted");
	await expect(runGrove(["/does/not/exist"], process.cwd(), undefined)).rejects.toThrow(
		/pi-grove could not be run: .*ENOENT/,
	);
});
