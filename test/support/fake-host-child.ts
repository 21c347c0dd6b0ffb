/*
 * Stands for pi in tests of the browser: starts the command of its arguments as pi's extension does, with what `FAKE_HOST` says of
 * pi, and writes what comes over the link to the file `FAKE_HOST_LOG`, one line of JSON each; last how the browser ended. A
 * request is done as pi would do it, in the file of the session; `FAKE_HOST_SAYS` is the reason of a no, or "nothing", or "gone"
 * for a pi that ends. Lines of `FAKE_HOST_TELLS` are told to the browser when it asks for a rename.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Duplex } from "node:stream";
import type { HostInfo, HostRequest } from "../../src/app/world/state/choice.ts";

const { FAKE_HOST = "", FAKE_HOST_LOG = "", FAKE_HOST_SAYS, FAKE_HOST_TELLS, ...env } = process.env;
const info: HostInfo = JSON.parse(FAKE_HOST);
const [command = "", ...args] = process.argv.slice(2);

function log(value: unknown): void {
	appendFileSync(FAKE_HOST_LOG, `${JSON.stringify(value)}\n`);
}

async function reasonOfNo(request: Exclude<HostRequest, { choice: unknown }>): Promise<string | undefined> {
	const { path = "" } = info.open;
	if (FAKE_HOST_SAYS !== undefined) return FAKE_HOST_SAYS;
	// Loaded only for a request: its sources take much longer than all else here.
	const { labelEntry, renameSession } = await import("../../src/store/actions/session-actions.ts");
	try {
		if (request.action === "rename") renameSession(path, request.name);
		else labelEntry(path, request.entryId, request.label ?? undefined);
		return undefined;
	} catch (error) {
		return String(error);
	}
}

process.on("SIGINT", () => undefined);
const child = spawn(command, args, {
	env: { ...env, PI_GROVE_HOST: FAKE_HOST },
	stdio: ["inherit", "inherit", "inherit", "pipe"],
});
const link = child.stdio[info.fd];
if (!(link instanceof Duplex)) throw new Error("there is no link");
link.on("error", () => undefined);
createInterface({ input: link }).on("line", async (line) => {
	const said: HostRequest = JSON.parse(line);
	log(said);
	if ("choice" in said) return;
	if (FAKE_HOST_SAYS === "gone") link.destroy();
	else if (FAKE_HOST_SAYS !== "nothing") {
		const error = await reasonOfNo(said);
		const answer = { answer: said.request, ...(error !== undefined && { error }) };
		link.write(`${FAKE_HOST_TELLS === undefined ? "" : `${FAKE_HOST_TELLS}\n`}${JSON.stringify(answer)}\n`);
	}
});
child.once("close", (code, signal) => {
	log({ ended: code ?? signal });
	process.stdout.write(`pi is back: ${code ?? signal}\r\n`);
});
