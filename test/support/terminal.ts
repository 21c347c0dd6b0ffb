import { type IPty, spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { nameOf } from "./command.ts";
import { type ScreenFrame, screenFrame } from "./screen-frame.ts";
import { styledScreen } from "./styled-screen.ts";
import { Changes, until } from "./wait.ts";

/** What a program is started with. */
export interface TerminalOptions {
	readonly columns?: number;
	readonly rows?: number;
	readonly cwd?: string;
	/** Added to this process's environment; undefined removes a variable. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Lines on the screen before the program starts, as a shell leaves them. */
	readonly before?: readonly string[];
}

/** How the process ended. */
export interface Exit {
	readonly code: number;
	/** Number of the signal that killed it, if one did. */
	readonly signal: number | undefined;
}

/** The keys of a terminal, by the names of the keymap. */
const bytes: Readonly<Record<string, string>> = {
	up: "\x1b[A",
	down: "\x1b[B",
	right: "\x1b[C",
	left: "\x1b[D",
	home: "\x1b[H",
	end: "\x1b[F",
	pageUp: "\x1b[5~",
	pageDown: "\x1b[6~",
	enter: "\r",
	escape: "\x1b",
	tab: "\t",
	"shift+tab": "\x1b[Z",
	backspace: "\x7f",
	delete: "\x1b[3~",
	"shift+up": "\x1b[1;2A",
	"shift+down": "\x1b[1;2B",
};

/** Longer than anything takes on a busy machine, in milliseconds; only a failing test waits that long. */
const LIMIT_MS = 60_000;

/** A program running in a pseudo-terminal, and what a person would see of it. */
export class TestTerminal {
	readonly #pty: IPty;
	readonly #screen: InstanceType<typeof xterm.Terminal>;
	readonly #exited: Promise<Exit>;
	readonly #changes = new Changes();
	#exit: Exit | undefined;
	/** Whether what is on the screen ends inside of a frame. */
	#isTorn = false;
	/** Everything that the program wrote, raw. */
	written = "";

	constructor(command: string, args: readonly string[], options: TerminalOptions = {}) {
		const { columns = 120, rows = 36, cwd = process.cwd(), env = {}, before = [] } = options;
		this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
		for (const line of before) this.#screen.write(`${line}\r\n`);
		this.#pty = spawn(command, [...args], { cols: columns, rows, cwd, name: "xterm-256color", env: environment(env) });
		this.#pty.onData((data) => {
			this.written += data;
			const isTorn = endsInFrame(this.written);
			this.#screen.write(data, () => {
				this.#isTorn = isTorn;
				this.#changes.notify();
			});
		});
		// Answers of the terminal, such as the position of the cursor.
		this.#screen.onData((data) => this.#pty.write(data));
		this.#exited = new Promise((resolve) => {
			this.#pty.onExit(({ exitCode, signal }) => {
				const exit = { code: exitCode, signal: signal === 0 ? undefined : signal };
				// What it has written last is still to be drawn.
				this.#screen.write("", () => {
					this.#exit = exit;
					resolve(exit);
					this.#changes.notify();
				});
			});
		});
	}

	/** The rows of the screen, without the blanks at their ends. */
	async screen(): Promise<string[]> {
		await new Promise<void>((resolve) => this.#screen.write("", resolve));
		return this.#rows();
	}

	#rows(): string[] {
		const buffer = this.#screen.buffer.active;
		return Array.from({ length: this.#screen.rows }, (_, row) =>
			(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "").trimEnd(),
		);
	}

	/** The screen with its colors, as text to compare (`styled-screen.ts`). */
	async styledScreen(): Promise<string> {
		await new Promise<void>((resolve) => this.#screen.write("", resolve));
		return styledScreen(this.#screen);
	}

	/** The screen as runs of cells with their colors. */
	async frame(): Promise<ScreenFrame> {
		await this.screen();
		return screenFrame(this.#screen);
	}

	/** The normal screen with everything above it, which a person can scroll back to. */
	async history(): Promise<string[]> {
		await new Promise<void>((resolve) => this.#screen.write("", resolve));
		const buffer = this.#screen.buffer.normal;
		return Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)?.translateToString(true) ?? "");
	}

	/** Whether the alternate screen is shown. */
	async isFullScreen(): Promise<boolean> {
		await new Promise<void>((resolve) => this.#screen.write("", resolve));
		return this.#screen.buffer.active.type === "alternate";
	}

	/** Where the terminal's own cursor is, from 0, and what stands before it in its row; undefined while it is hidden. */
	async cursor(): Promise<{ readonly x: number; readonly y: number; readonly before: string } | undefined> {
		await this.screen();
		if (this.written.lastIndexOf("\x1b[?25l") > this.written.lastIndexOf("\x1b[?25h")) return undefined;
		const { cursorX: x, cursorY: y, baseY } = this.#screen.buffer.active;
		const before = this.#screen.buffer.active.getLine(baseY + y)?.translateToString(false, 0, x) ?? "";
		return { x, y, before };
	}

	/**
	 * Presses keys, named as in the keymap ("enter", "ctrl+d") or as the characters they are; an id in angle brackets runs the
	 * command that has it.
	 */
	press(...keys: readonly string[]): void {
		this.type(keys.flatMap(keysOf).map(bytesOf).join(""));
	}

	/** Sends text in one piece. */
	type(text: string): void {
		this.#pty.write(text);
	}

	/** Writes on the screen behind the program's back, as `wall` and jobs in the background do. */
	writeOver(text: string): void {
		this.#screen.write(text);
	}

	resize(columns: number, rows: number): void {
		this.#screen.resize(columns, rows);
		this.#pty.resize(columns, rows);
	}

	/** Sends a signal to what was started. */
	signal(name: NodeJS.Signals): void {
		process.kill(this.#pty.pid, name);
	}

	/** Resolves with the screen, after a whole frame, once it is as expected; rejects when it does not become so, or the program ends before. */
	async waitFor(expected: string | RegExp | ((screen: string) => boolean), limitMs = LIMIT_MS): Promise<string> {
		return this.#until(String(expected), (screen) => fits(expected, screen), limitMs);
	}

	/** The same for what the cells look like. */
	async waitForFrame(isExpected: (frame: ScreenFrame) => boolean): Promise<void> {
		await this.#until("a frame", () => isExpected(screenFrame(this.#screen)), LIMIT_MS);
	}

	async #until(what: string, isExpected: (screen: string) => boolean, limitMs: number): Promise<string> {
		const observed = {
			// At each write, so that what a test presses comes as early as it can: right after the first frame, too.
			subscribe: this.#changes.subscribe,
			state: () => this.#rows().join("\n"),
			describe: (screen: string) => `${screen}\n---`,
		};
		await this.screen();
		return until(
			what,
			observed,
			(screen) => {
				if ((!this.#isTorn || this.#exit) && isExpected(screen)) return true;
				if (this.#exit) throw new Error(`it ended with ${JSON.stringify(this.#exit)}`);
				return false;
			},
			limitMs,
		);
	}

	/** Resolves when the program has ended and all that it wrote is on the screen. */
	async exit(limit = LIMIT_MS): Promise<Exit> {
		const timeout = Promise.withResolvers<never>();
		const timer = setTimeout(async () => {
			const screen = (await this.screen()).join("\n");
			timeout.reject(new Error(`The program did not end within ${limit} ms. The last screen:\n${screen}\n---`));
		}, limit);
		try {
			const exit = await Promise.race([this.#exited, timeout.promise]);
			await this.screen();
			return exit;
		} finally {
			clearTimeout(timer);
		}
	}

	/** Process ID of what was started. */
	get pid(): number {
		return this.#pty.pid;
	}

	/** Whether the program has ended. */
	get hasExited(): boolean {
		return this.#exit !== undefined;
	}

	/** Ends the program if it still runs; for the end of a test. */
	kill(): void {
		if (!this.#exit) this.#pty.kill("SIGKILL");
	}
}

/** The keys of a command: its name, typed into the box of commands. */
function keysOf(key: string): readonly string[] {
	const id = /^<(.+)>$/.exec(key)?.[1];
	return id === undefined ? [key] : ["ctrl+k", ...nameOf(id), "enter"];
}

function bytesOf(key: string): string {
	const known = bytes[key];
	if (known !== undefined) return known;
	if (key.startsWith("alt+")) return `\x1b${bytesOf(key.slice(4))}`;
	if (key.startsWith("ctrl+")) return String.fromCharCode(key.charCodeAt(5) & 0x1f);
	return key;
}

/** More than the longest frame: further back nothing is looked for. */
const LONGEST_FRAME = 200_000;

/** Whether a frame (a synchronized update) has begun and not ended: terminals do not show such a half. */
function endsInFrame(written: string): boolean {
	const recent = written.slice(-LONGEST_FRAME);
	return recent.lastIndexOf("\x1b[?2026h") > recent.lastIndexOf("\x1b[?2026l");
}

/** "1/3": where a cursor is, and not how far a listing is, "reading 1/3". */
const POSITION = /^\d[\d,]*\/\d[\d,]*$/;

function fits(expected: string | RegExp | ((screen: string) => boolean), text: string): boolean {
	if (typeof expected === "string" && POSITION.test(expected))
		return new RegExp(`(?<!reading |[\\d,/])${expected}(?![\\d,/])`).test(text);
	if (typeof expected === "string") return text.includes(expected);
	return expected instanceof RegExp ? expected.test(text) : expected(text);
}

/** This process's environment with changes; what would change the program's behavior under test is taken out. */
function environment(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
	const { CI, NO_COLOR, FORCE_COLOR, NODE_OPTIONS, PI_CODING_AGENT_DIR, PI_CODING_AGENT_SESSION_DIR, ...own } =
		process.env;
	const all = { ...own, COLORTERM: "truecolor", ...changes };
	return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
