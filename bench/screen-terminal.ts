import { readFileSync } from "node:fs";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

/** How long a key took, in ms. */
export interface KeyTimes {
	/** From the write of the key to the last byte of the first frame after it. */
	readonly frame: number;
	/** The same for the last frame that it led to. */
	readonly settled: number;
	/** What the program's main thread worked for it; 0 where the system does not report that. */
	readonly work: number;
}

const FRAME_ENDS = "\x1b[?2026l";
/** No frame for this long means that a key has no more effect. */
const QUIET_MS = 70;
const LIMIT_MS = 20_000;

/** The built program in a pseudo-terminal. What it writes is only drawn when the screen is asked for. */
export class ScreenTerminal {
	readonly #pty: IPty;
	readonly #terminal: InstanceType<typeof xterm.Terminal>;
	#pending = "";
	#onData: ((data: string) => void) | undefined;
	/** When the program was started, by `performance.now`. */
	readonly began = performance.now();

	constructor(args: readonly string[], size: { cols: number; rows: number }, env: NodeJS.ProcessEnv) {
		this.#terminal = new xterm.Terminal({ ...size, allowProposedApi: true });
		this.#pty = spawn(process.execPath, [...args], { ...size, name: "xterm-256color", env });
		this.#terminal.onData((data) => this.#pty.write(data));
		this.#pty.onData((data) => {
			this.#pending += data;
			this.#onData?.(data);
		});
	}

	/** The screen as text. */
	async screen(): Promise<string> {
		const data = this.#pending;
		this.#pending = "";
		await new Promise<void>((resolve) => this.#terminal.write(data, resolve));
		const buffer = this.#terminal.buffer.active;
		return Array.from({ length: this.#terminal.rows }, (_, row) =>
			(buffer.getLine(buffer.baseY + row)?.translateToString() ?? "").trimEnd(),
		).join("\n");
	}

	/** Resolves with the time, by `performance.now`, at which the screen became as expected. */
	async waitFor(expected: (screen: string) => boolean): Promise<number> {
		let at = performance.now();
		for (;;) {
			const next = new Promise<void>((resolve) => {
				this.#onData = () => {
					at = performance.now();
					resolve();
				};
			});
			const screen = await this.screen();
			if (expected(screen)) return at;
			if (performance.now() - this.began > LIMIT_MS) throw new Error(`The screen did not come:\n${screen}`);
			await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 500))]);
		}
	}

	/** Resolves once nothing has been written for a while. */
	async quiet(ms = 300): Promise<void> {
		for (let last = ""; ; ) {
			await new Promise((resolve) => setTimeout(resolve, ms));
			if (this.#pending === last) return;
			last = this.#pending;
		}
	}

	/** Writes a key, and resolves when its effect is over. */
	press(key: string): Promise<KeyTimes> {
		return new Promise((resolve, reject) => {
			let frame: number | undefined;
			let settled = 0;
			let over: ReturnType<typeof setTimeout> | undefined;
			const limit = setTimeout(() => reject(new Error(`no frame after ${JSON.stringify(key)}`)), LIMIT_MS);
			const workBefore = this.#workedMs();
			const began = performance.now();
			this.#onData = (data) => {
				if (!data.includes(FRAME_ENDS)) return;
				settled = performance.now() - began;
				frame ??= settled;
				clearTimeout(over);
				over = setTimeout(() => {
					clearTimeout(limit);
					this.#onData = undefined;
					resolve({ frame: frame ?? settled, settled, work: this.#workedMs() - workBefore });
				}, QUIET_MS);
			};
			this.#pty.write(key);
		});
	}

	/** Peak memory of the program, in MB; 0 where the system does not report it. */
	get peakMb(): number {
		try {
			const [, kilobytes = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#pty.pid}/status`, "utf8")) ?? [];
			return Math.round(Number(kilobytes) / 1024);
		} catch {
			return 0;
		}
	}

	/** What the main thread has worked so far, in ms. */
	#workedMs(): number {
		try {
			return Number(readFileSync(`/proc/${this.#pty.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
		} catch {
			return 0;
		}
	}

	end(): Promise<void> {
		return new Promise((resolve) => {
			this.#pty.onExit(() => resolve());
			this.#pty.kill("SIGTERM");
		});
	}
}
