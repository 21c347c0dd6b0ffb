import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { thisSystem } from "../shared/system.ts";

/** Whether TERM says that the terminal takes no escape sequences, as the shell window of an editor. */
export function isDumb(): boolean {
	return process.env.TERM === "dumb";
}

/** A terminal that takes no escape sequences: what is written to it loses them. */
export function withoutEscapes({ output, ...terminal }: Terminal): Terminal {
	const write = (chunk: unknown, ...rest: unknown[]): boolean =>
		Reflect.apply(output.write, output, [typeof chunk === "string" ? stripVTControlCharacters(chunk) : chunk, ...rest]);
	const printing = new Proxy(output, {
		get(target, name) {
			if (name === "write") return write;
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
	return { ...terminal, output: printing };
}

export interface Terminal {
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	/** Closes what was opened for it, but not the streams of the process itself. */
	close(): void;
}

/** The `stdio` of a child process that gets the terminal. */
export type TerminalStdio = [input: number, output: number, errors: "inherit"];

export function stdioOf({ input, output }: Terminal): TerminalStdio {
	return [fdOf(input), fdOf(output), "inherit"];
}

/** The process's own input and output, if both are a terminal; else which of them is not. */
export function ownTerminal(): Terminal | "input" | "output" {
	if (!process.stdin.isTTY) return "input";
	if (!process.stdout.isTTY) return "output";
	return { input: process.stdin, output: process.stdout, close: () => undefined };
}

/**
 * The terminal of a program whose output another program reads: its streams that are a terminal (stdout only with
 * `onStdout`), else the terminal that controls the process. Undefined if there is none.
 */
export function controllingTerminal(onStdout: boolean, { terminal } = thisSystem): Terminal | undefined {
	const opened: { destroy(): unknown }[] = [];
	const close = (): void => {
		for (const stream of opened) stream.destroy();
	};
	try {
		const input = process.stdin.isTTY ? process.stdin : openDevice(terminal.input, (fd) => new ReadStream(fd));
		if (input !== process.stdin) opened.push(input);
		const ownStream = [...(onStdout ? [process.stdout] : []), process.stderr].find(({ isTTY }) => isTTY);
		if (ownStream !== undefined) return { input, output: ownStream, close };
		const output = openDevice(terminal.output, (fd) => new WriteStream(fd));
		opened.push(output);
		// Node updates the size of its own streams only.
		const onResize = (): void => resized(output);
		process.on("SIGWINCH", onResize);
		return {
			input,
			output,
			close: () => {
				process.off("SIGWINCH", onResize);
				close();
			},
		};
	} catch {
		close();
		return undefined;
	}
}

function openDevice<Stream>(path: string, stream: (fd: number) => Stream): Stream {
	// Windows sets the mode of keyboards only where they can be written to: https://github.com/nodejs/node/issues/63852
	const fd = openSync(path, constants.O_RDWR | (constants.O_NOCTTY ?? 0));
	try {
		return stream(fd);
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

/** Makes a stream read the size of its terminal again and emit "resize". */
function resized(output: WriteStream): void {
	// This is what Node does for stdout; there is no public way.
	const refresh: unknown = Reflect.get(output, "_refreshSize");
	if (typeof refresh === "function") Reflect.apply(refresh, output, []);
}

export function fdOf(stream: NodeJS.ReadStream | NodeJS.WriteStream): number {
	// Node's types have it only for the streams of the process itself.
	return Number(Reflect.get(stream, "fd"));
}

/** Waits for a key in a terminal that nothing else reads; resolves to what it sends, or to "" when `ending` comes first. */
export async function waitForKey(input: NodeJS.ReadStream, ending: Promise<void>): Promise<string> {
	const pressed = Promise.withResolvers<string>();
	const onData = (chunk: string | Buffer): void => pressed.resolve(String(chunk));
	input.setRawMode(true);
	input.on("data", onData);
	input.ref();
	input.resume();
	try {
		return await Promise.race([pressed.promise, ending.then(() => "")]);
	} finally {
		input.off("data", onData);
		input.pause();
		input.unref();
	}
}

/** Whether that key is ctrl+c, also if a program has left the kitty protocol on. */
export function isInterrupt(key: string): boolean {
	return key.startsWith("\x03") || key.startsWith("\x1b[99;5");
}

/** The size assumed for a terminal that does not report one: the default of most terminals. */
const ASSUMED = { columns: 80, rows: 24 } as const;

/** The size of a terminal in cells, each at least 1. */
interface TerminalSize {
	readonly columns: number;
	readonly rows: number;
	/** Whether the terminal did not report both. */
	readonly isAssumed: boolean;
}

/** Any output stream; only those of a terminal have a size. */
type OutputStream = Partial<Pick<WriteStream, "isTTY" | "columns" | "rows">>;

/**
 * The size of a terminal. A pseudo-terminal whose size was never set (CI, `docker run -t`, `ssh -tt`, a serial line) reports
 * 0, which means unknown: nothing can be drawn in 0 columns. No other code reads the size.
 */
export function terminalSize({ columns, rows }: OutputStream): TerminalSize {
	return {
		columns: columns || ASSUMED.columns,
		rows: rows || ASSUMED.rows,
		isAssumed: !columns || !rows,
	};
}

/**
 * Whether a descriptor may be a terminal. Asking a stream is exact, and takes two milliseconds until Node has loaded it, which a
 * file or a pipe need not wait for.
 */
export function isDevice(fd: number): boolean {
	try {
		return !thisSystem.isUnix || fstatSync(fd).isCharacterDevice();
	} catch {
		// It is closed, or cannot be asked: the stream knows.
		return true;
	}
}

/** The columns of the terminal that stdout is; undefined for anything else. */
export function outputColumns(): number | undefined {
	return isDevice(1) ? columnsOf(process.stdout) : undefined;
}

/** The columns of a terminal; undefined for other streams. */
export function columnsOf(stream: OutputStream): number | undefined {
	return stream.isTTY ? terminalSize(stream).columns : undefined;
}
