import { readFileSync } from "node:fs";
import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

/** How long a key took, in ms. */
export interface KeyTimes {
	/** From the write of the key to the last byte of the first frame after it. */
	readonly frame: number;
	/** The same for the last frame that it led to. */
	readonly settled: number;
	/** What the program's main thread worked until then; 0 where the system does not report that. */
	readonly work: number;
}

/** The row with the titles of the panes, and what is typed in the list. */
export function titleOf(screen: string): string {
	return screen.split("\n")[0] ?? "";
}

/** Whether the list shows all that a search for these words finds. */
export function isSearched(screen: string, words: string): boolean {
	const title = titleOf(screen);
	return title.includes(`❯ ${words} `) && /\d/.test(title) && !/search(?:ed|ing)/.test(title);
}

/** Keys that run a command by its name, written at once. */
export function command(name: string): string {
	return `\x0b${name}\r`;
}

const FRAME_ENDS = "\x1b[?2026l";
/** No frame for this long means that a key has no more effect. */
const QUIET_MS = 70;
/** What comes later than this has failed; a listing of 100,000 sessions takes minutes on a busy machine. */
const LIMIT_MS = 600_000;
/** A program that works less than the one in the other, in ms, has nothing to draw for a key. */
const IDLE_WORK_MS = 10;
const IDLE_MS = 400;

/** The built program in a pseudo-terminal. What it writes is only drawn when the screen is asked for. */
export class ScreenTerminal {
	readonly #pty: IPty;
	readonly #terminal: InstanceType<typeof xterm.Terminal>;
	#pending = "";
	readonly #listeners = new Set<(data: string) => void>();
	/** When the program was started, by `performance.now`. */
	readonly began = performance.now();

	constructor(args: readonly string[], size: { cols: number; rows: number }, env: NodeJS.ProcessEnv) {
		this.#terminal = new xterm.Terminal({ ...size, allowProposedApi: true });
		this.#pty = spawn(process.execPath, [...args], { ...size, name: "xterm-256color", env });
		this.#terminal.onData((data) => this.#pty.write(data));
		// A program that hangs must not outlive what measures it.
		process.once("exit", this.#kill);
		this.#pty.onData((data) => {
			this.#pending += data;
			for (const listener of this.#listeners) listener(data);
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
		const began = performance.now();
		let at = began;
		for (;;) {
			const next = new Promise<void>((resolve) => {
				const listener = (): void => {
					this.#listeners.delete(listener);
					at = performance.now();
					resolve();
				};
				this.#listeners.add(listener);
			});
			const screen = await this.screen();
			if (expected(screen)) return at;
			if (performance.now() - began > LIMIT_MS) throw new Error(`The screen did not come:\n${screen}`);
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

	/** Resolves once the program works no more, with all its threads. */
	async idle(): Promise<void> {
		for (let quiet = 0, last = this.allWorkedMs; quiet < 3; ) {
			await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
			const now = this.allWorkedMs;
			quiet = now - last <= IDLE_WORK_MS * 3 ? quiet + 1 : 0;
			last = now;
		}
	}

	/**
	 * Writes keys in one piece, and resolves when their effect is over: when nothing has been drawn for `quietMs`. With
	 * `mayDoNothing` also when nothing is drawn and nothing is being worked on; the times are 0 then.
	 */
	press(keys: string, quietMs = QUIET_MS, mayDoNothing = false): Promise<KeyTimes> {
		return new Promise((resolve, reject) => {
			let frame: number | undefined;
			let settled = 0;
			let over: ReturnType<typeof setTimeout> | undefined;
			const limit = setTimeout(async () => {
				clearInterval(idle);
				reject(new Error(`no frame after ${JSON.stringify(keys)}:\n${await this.screen()}`));
			}, LIMIT_MS);
			const workBefore = this.workedMs;
			let workedLast = workBefore;
			const idle = setInterval(() => {
				const worked = this.workedMs;
				const isIdle = !this.#wantsProcessor && worked - workedLast < IDLE_WORK_MS;
				workedLast = worked;
				if (isIdle && mayDoNothing && frame === undefined) done({ frame: 0, settled: 0, work: 0 });
			}, IDLE_MS);
			const done = (times: KeyTimes): void => {
				clearTimeout(limit);
				clearInterval(idle);
				this.#listeners.delete(listener);
				resolve(times);
			};
			const began = performance.now();
			// What ends a frame may come in two pieces.
			let end = "";
			const listener = (data: string): void => {
				end = (end + data).slice(-FRAME_ENDS.length);
				if (end !== FRAME_ENDS) return;
				settled = performance.now() - began;
				frame ??= settled;
				clearTimeout(over);
				const work = this.workedMs - workBefore;
				over = setTimeout(() => done({ frame: frame ?? settled, settled, work }), quietMs);
			};
			this.#listeners.add(listener);
			this.#pty.write(keys);
		});
	}

	/** Writes a key. */
	write(key: string): void {
		this.#pty.write(key);
	}

	/** Writes a key that may have nothing to do, and waits until nothing is written any more. */
	async send(key: string): Promise<void> {
		this.write(key);
		await this.quiet();
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

	/** Whether the main thread is at work, or waits for its turn on a busy machine. */
	get #wantsProcessor(): boolean {
		try {
			return / R /.test(readFileSync(`/proc/${this.#pty.pid}/task/${this.#pty.pid}/stat`, "utf8").slice(0, 40));
		} catch {
			return false;
		}
	}

	/** What the main thread has worked so far, in ms; 0 where the system does not report it. */
	get workedMs(): number {
		try {
			return Number(readFileSync(`/proc/${this.#pty.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
		} catch {
			return 0;
		}
	}

	/** What all threads have worked so far, in ms, to 10 ms; 0 where the system does not report it. */
	get allWorkedMs(): number {
		try {
			const stat = readFileSync(`/proc/${this.#pty.pid}/stat`, "utf8");
			// Behind the name, which may hold blanks: user and system time, in hundredths of a second.
			const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
			return (Number(fields[11]) + Number(fields[12])) * 10;
		} catch {
			return 0;
		}
	}

	end(): Promise<void> {
		return new Promise((resolve) => {
			this.#pty.onExit(() => {
				process.off("exit", this.#kill);
				resolve();
			});
			this.#pty.kill("SIGTERM");
		});
	}

	readonly #kill = (): void => this.#pty.kill("SIGKILL");
}
