import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { isAlive } from "../support/processes.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";
import { PI_PROGRAM } from "./pi-program.ts";

/** What pi needs of an answer to show its session. */
const ANSWERED = JSON.stringify({
	role: "assistant",
	api: "none",
	provider: "none",
	model: "none",
	stopReason: "stop",
	usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
}).slice(1, -1);

/** A session of the sandbox, with answers that pi shows. */
export function withAnswers(text: string): string {
	return text.replaceAll('"role":"assistant"', ANSWERED);
}

/** A home directory with sessions, in which `pi` is the pi that the run compares with. */
export class PiSandbox extends Sandbox {
	readonly sessions = threeSessions(this);

	constructor() {
		super();
		for (const path of Object.values(this.sessions)) {
			writeFileSync(path, withAnswers(readFileSync(path, "utf8")));
			// Long before any pi of these tests was started.
			utimesSync(path, 0, 0);
		}
		expect(existsSync(PI_PROGRAM)).toBe(true);
		this.installPi(`
			export PI_OFFLINE=1 PI_SKIP_VERSION_CHECK=1
			echo $$ >"$HOME/pi"
			exec ${JSON.stringify(process.execPath)} ${JSON.stringify(PI_PROGRAM)} "$@"`);
	}

	/** The pi that was started last. */
	get piPid(): number {
		return Number(readFileSync(join(this.home, "pi"), "utf8"));
	}

	override remove(): void {
		if (existsSync(join(this.home, "pi")) && isAlive(this.piPid)) killQuietly(this.piPid);
		super.remove();
	}
}

/** pi shows the session, and the directory in its footer, when it waits. */
export async function waitsInPi(terminal: TestTerminal, said = "It is in client.ts."): Promise<void> {
	await terminal.waitFor((screen) => /^~\/work\/api/m.test(screen) && screen.includes(said), 60_000);
}

/** Kills a process that may be ending at this moment. */
function killQuietly(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}
