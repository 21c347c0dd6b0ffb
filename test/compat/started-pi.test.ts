import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { run } from "../support/run.ts";
import { InPi } from "./in-pi.ts";
import { PI_PROGRAM } from "./pi-program.ts";

test("a pi -p that pi's model starts by a command is a run of its session", async () => {
	const pi = new InPi();
	try {
		await pi.model.start(pi.agentDir);
		pi.installPi(`exec ${JSON.stringify(process.execPath)} ${JSON.stringify(PI_PROGRAM)} "$@"`);
		const site = pi.directory("work/site");
		pi.model.calls.push({ name: "bash", arguments: { command: `cd ${site} && pi -p "Count the tests" </dev/null` } });
		const env = { ...process.env, ...pi.env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
		const cwd = pi.directory("work/api");
		const running = promisify(execFile)(process.execPath, [PI_PROGRAM, "-p", "Have them counted"], { cwd, env });
		running.child.stdin?.end();
		await running;
		expect(run(pi, ["stats"]).code).toBe(0);
		const rows: readonly { readonly title: string; readonly path: string; readonly parent: string | null }[] =
			JSON.parse(run(pi, ["list", "--runs", "--json"]).out);
		const [parent, child] = ["Have them counted", "Count the tests"].map((title) =>
			rows.find((row) => row.title === title),
		);
		expect(parent).toMatchObject({ parent: null });
		expect(child?.parent).toBe(parent?.path);
	} finally {
		await pi.remove();
	}
});
