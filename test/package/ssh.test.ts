import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";
import { runAlone } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import { commandOn, SshServer, sshd } from "../support/ssh-server.ts";

const program = join(inject("installed"), "node_modules", "pi-grove", "dist", "cli.js");

const [here, mini] = [new Sandbox(), new Sandbox()];
afterEach(() => {
	here.remove();
	mini.remove();
});

test.skipIf(sshd === undefined)("a session of a machine is found and read over a real ssh", async () => {
	const server = await SshServer.start(sshd ?? "");
	try {
		const { parser } = threeSessions(mini);
		const grove = (...args: readonly string[]): string =>
			runAlone(here, args, { PATH: `${server.bin}:${here.env.PATH}` }, { program }).out;
		grove("places", "add", "mini", "--ssh", "mini", "--command", commandOn(mini, program));
		const [, path = ""] = grove("search", "--place", "mini", "regular expression").split("\t");
		expect(path).toBe(`mini:${parser}`);
		expect(grove("show", path)).toContain("All tests pass now.");
	} finally {
		server.close();
	}
});
