import { spawn } from "node:child_process";
import { Duplex } from "node:stream";
import type { Choice, HostAnswer, HostInfo } from "../src/app/world/state/choice.ts";
import { link, type OpenRequest } from "./link.ts";
import { clean } from "./text.ts";

/** What of pi may be otherwise a moment later. */
type Now = Extract<HostAnswer, { readonly busy: boolean }>;

export interface BrowserRun {
	/** Program and arguments. */
	readonly command: readonly string[];
	readonly cwd: string;
	readonly host: HostInfo;
	/** Reads what the browser must know as long as it runs. */
	readonly now: () => Now;
	/** Does what the browser asks; returns why it cannot be done. */
	readonly answer: (request: OpenRequest) => string | undefined;
	/** Ends the browser without a choice: pi ends, or opens another session. */
	readonly ended: AbortSignal;
}

/** How the browser ended. */
export interface BrowserEnd {
	/** Nothing was chosen where there is none. */
	readonly choice?: Choice;
	/** Why it did not work, for the person. */
	readonly problem?: string;
	/** Whether the browser knew of a running turn when it ended. */
	readonly wasToldBusy: boolean;
}

/** How often pi is looked at for changes, in milliseconds: no event tells of all of them in all versions. */
const LOOK_MS = 250;

/** A browser that was told to end gets this long for it, in milliseconds. */
const ENDING_MS = 1500;

/** What the browser has started, and left running, may hold its pipes; it is not waited for longer than this, in milliseconds. */
const LEFT_BEHIND_MS = 500;

/** More of what the browser says of its failure is not kept, in characters. */
const SAID = 20_000;

/** What of it is shown, in lines. */
const LINES = 8;

/** Left without a choice, as `pi-grove pick` says it in the shell. */
const LEFT = 130;

/** What a program says last is why it ended; the whole would fill pi's screen. */
function lastLines(text: string): string {
	return text.trim().split("\n").slice(-LINES).join("\n");
}

/** Runs the browser to its end in the terminal of this process, and answers it meanwhile. */
export function runBrowser({ command, cwd, host, now, answer, ended }: BrowserRun): Promise<BrowserEnd> {
	const [program = "", ...args] = command;
	return new Promise((resolve) => {
		const child = spawn(program, args, {
			cwd,
			env: { ...process.env, PI_GROVE_HOST: JSON.stringify(host) },
			// What it says when it cannot start would be written over pi's screen.
			stdio: ["inherit", "inherit", "pipe", "pipe"],
		});
		let said = "";
		child.stderr?.setEncoding("utf8").on("data", (more: string) => {
			said = (said + more).slice(-SAID);
		});
		const pipe = child.stdio[host.fd];
		if (!(pipe instanceof Duplex)) throw new Error("there is no pipe to the browser.");
		const browser = link(pipe, answer);
		let told: Now = { busy: host.busy, open: host.open };
		const looking = setInterval(() => {
			// An error that nobody catches ends pi.
			try {
				const is = now();
				if (JSON.stringify(is) === JSON.stringify(told)) return;
				told = is;
				browser.tell(is);
			} catch {
				leave();
			}
		}, LOOK_MS);
		let killing: NodeJS.Timeout | undefined;
		const leave = (): void => {
			pipe.destroy();
			killing ??= setTimeout(() => child.kill(), ENDING_MS);
		};
		if (ended.aborted) leave();
		ended.addEventListener("abort", leave);

		const end = (problem: string | undefined): void => {
			clearInterval(looking);
			clearTimeout(killing);
			ended.removeEventListener("abort", leave);
			pipe.destroy();
			const { choice } = browser;
			resolve({
				wasToldBusy: told.busy,
				...(choice !== undefined && { choice }),
				...(problem !== undefined && { problem }),
			});
		};
		child.once("error", (error) => end(`pi-grove did not start: ${error.message} (${command.join(" ")})`));
		const endWith = (code: number | null, signal: NodeJS.Signals | null): void => {
			if (code === 0 || code === LEFT || signal === "SIGINT" || ended.aborted) end(undefined);
			else end(`pi-grove ended with ${signal ?? `exit code ${code}`}. ${lastLines(clean(said))}`.trimEnd());
		};
		// The last lines of the pipes may come after "exit", and before "close".
		child.once("exit", (code, signal) => setTimeout(() => endWith(code, signal), LEFT_BEHIND_MS));
		child.once("close", endWith);
	});
}
