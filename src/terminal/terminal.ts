import { closeSync, constants, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";

/** Whether the terminal takes no escape sequences, as the shell window of an editor does not: TERM says so. */
export function isDumb(): boolean {
	return process.env.TERM === "dumb";
}

/** The terminal that the browser is drawn on, and typed in. */
export interface Terminal {
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	/** Gives back what was opened for it; the process's own streams stay. */
	close(): void;
}

/** The input, the output and the errors of a program that gets a terminal. */
export type TerminalStdio = [input: number, output: number, errors: "inherit"];

/** What a child that gets the terminal has for its own input, output and errors. */
export function stdioOf({ input, output }: Terminal): TerminalStdio {
	return [fdOf(input), fdOf(output), "inherit"];
}

/** The process's own input and output, where both are a terminal; else which of them is none. */
export function ownTerminal(): Terminal | "input" | "output" {
	if (!process.stdin.isTTY) return "input";
	if (!process.stdout.isTTY) return "output";
	return { input: process.stdin, output: process.stdout, close: () => undefined };
}

/**
 * The terminal of a program whose output is read by another one: the streams that are a terminal (with `onStdout` its
 * output may be), else the terminal that controls the process. Undefined where there is none.
 */
export function controllingTerminal(onStdout: boolean): Terminal | undefined {
	const opened: { destroy(): unknown }[] = [];
	const close = (): void => {
		for (const stream of opened) stream.destroy();
	};
	try {
		const input = process.stdin.isTTY ? process.stdin : openInput();
		if (input !== process.stdin) opened.push(input);
		const own = [...(onStdout ? [process.stdout] : []), process.stderr].find(({ isTTY }) => isTTY);
		if (own !== undefined) return { input, output: own, close };
		const output = openOutput();
		opened.push(output);
		// Node looks after the size of its own streams only.
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

function openInput(): ReadStream {
	return onTerminal((fd) => new ReadStream(fd));
}

function openOutput(): WriteStream {
	return onTerminal((fd) => new WriteStream(fd));
}

function onTerminal<Stream>(stream: (fd: number) => Stream): Stream {
	const fd = openSync("/dev/tty", constants.O_RDWR | constants.O_NOCTTY);
	try {
		return stream(fd);
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

/** Has a stream look at the size of its terminal again, and say so. */
function resized(output: WriteStream): void {
	// As Node does it for stdout; there is no public way.
	const refresh: unknown = Reflect.get(output, "_refreshSize");
	if (typeof refresh === "function") Reflect.apply(refresh, output, []);
}

/** The descriptor of a stream of a terminal. */
export function fdOf(stream: NodeJS.ReadStream | NodeJS.WriteStream): number {
	// Node's types know it only of the process's own.
	return Number(Reflect.get(stream, "fd"));
}
