import { spawn } from "node:child_process";
import { Duplex } from "node:stream";
import type { FinalChoice, HostAnswer, HostInfo } from "../src/app/world/state/choice.ts";
import { link, type OpenRequest } from "./link.ts";
import { clean } from "./text.ts";

/** The state of pi that may change at any time. */
type PiState = Extract<HostAnswer, { readonly busy: boolean }>;

interface BrowserRun {
	readonly command: readonly string[];
	readonly cwd: string;
	readonly host: HostInfo;
	/** Reads the current state of pi. */
	readonly now: () => PiState;
	/** Carries out a request of the browser; returns why it cannot be done. */
	readonly answer: (request: OpenRequest) => string | undefined;
	/** Ends the browser without a choice, since pi ends or opens another session. */
	readonly ended: AbortSignal;
}

export interface BrowserEnd {
	/** Missing if nothing was chosen. */
	readonly choice?: FinalChoice;
	readonly problem?: string;
	/** Whether the browser knew of a running turn when it ended. */
	readonly wasToldBusy: boolean;
}

/** How often pi's state is compared: not all versions have events for all changes. */
const POLL_MS = 250;

/** Time for a browser to end before it is killed. */
const ENDING_MS = 1500;

/** Time to wait for pipes that programs keep open which the browser left running. */
const LEFT_BEHIND_MS = 500;

/** Characters kept of the browser's error output, and lines of it that are shown. */
const MAX_ERROR = 20_000;
const MAX_LINES = 8;

/** The exit code if the person left without a choice, as that of `pi-grove pick`. */
const LEFT = 130;

export function runBrowser({ command, cwd, host, now, answer, ended }: BrowserRun): Promise<BrowserEnd> {
	const [program = "", ...args] = command;
	return new Promise((resolve) => {
		const child = spawn(program, args, {
			cwd,
			env: { ...process.env, PI_GROVE_HOST: JSON.stringify(host) },
			// Error output is piped: it would be written over pi's screen.
			stdio: ["inherit", "inherit", "pipe", "pipe"],
		});
		let stderr = "";
		child.stderr?.setEncoding("utf8").on("data", (more: string) => {
			stderr = (stderr + more).slice(-MAX_ERROR);
		});
		const pipe = child.stdio[host.fd];
		if (!(pipe instanceof Duplex)) throw new Error("there is no pipe to the browser.");
		const browser = link(pipe, answer);
		let sent: PiState = { busy: host.busy, open: host.open };
		const polling = setInterval(() => {
			// An uncaught error would end pi.
			try {
				const current = now();
				if (JSON.stringify(current) === JSON.stringify(sent)) return;
				sent = current;
				browser.send(current);
			} catch {
				leave();
			}
		}, POLL_MS);
		let killing: NodeJS.Timeout | undefined;
		const leave = (): void => {
			pipe.destroy();
			killing ??= setTimeout(() => child.kill(), ENDING_MS);
		};
		if (ended.aborted) leave();
		ended.addEventListener("abort", leave);

		const end = (problem: string | undefined): void => {
			clearInterval(polling);
			clearTimeout(killing);
			ended.removeEventListener("abort", leave);
			pipe.destroy();
			const { choice } = browser;
			resolve({
				wasToldBusy: sent.busy,
				...(choice !== undefined && { choice }),
				...(problem !== undefined && { problem }),
			});
		};
		child.once("error", (error) => end(`pi-grove did not start: ${error.message} (${command.join(" ")})`));
		const endWith = (code: number | null, signal: NodeJS.Signals | null): void => {
			if (code === 0 || code === LEFT || signal === "SIGINT" || ended.aborted) end(undefined);
			else {
				// The end has the reason; all of it would fill pi's screen.
				const lines = clean(stderr).trim().split("\n").slice(-MAX_LINES);
				end(`pi-grove ended with ${signal ?? `exit code ${code}`}. ${lines.join("\n")}`.trimEnd());
			}
		};
		// The last output may come after "exit" and before "close".
		child.once("exit", (code, signal) => setTimeout(() => endWith(code, signal), LEFT_BEHIND_MS));
		child.once("close", endWith);
	});
}
