import { closeSync, constants, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { thisSystem } from "../shared/system.ts";
import { createInputSplitter, type InputPiece } from "./input-splitter.ts";
import { type ColorAnswer, isColorAnswer, readColorAnswer } from "./terminal-colors.ts";

/** The keyboard of a terminal, read from the moment it is opened; nothing that is typed is lost. */
export interface Keyboard {
	/** Pass this to Ink as `stdin`: Ink reads nothing from it, but its calls tell us when the terminal is ours. */
	readonly inkInput: NodeJS.ReadStream;
	/** Passes all input to the listener, first what has arrived already, until the function that it returns is called. */
	listen(listener: (pieces: readonly InputPiece[]) => void): () => void;
	/** What to write to the terminal right after entering its full screen. */
	enteredScreen(): string;
	/** What to write to the terminal right before leaving its full screen. */
	leavingScreen(): string;
	/**
	 * Resolves when the terminal has answered all queries, so that no answer is typed into the next program, or has had the
	 * time to.
	 */
	answered(): Promise<void>;
	/** Stops reading and restores the terminal's mode. */
	close(): void;
}

type TerminalInput = Pick<
	NodeJS.ReadStream,
	"setRawMode" | "setEncoding" | "resume" | "pause" | "on" | "off" | "ref" | "unref"
>;

export interface ColorQuestions {
	readonly text: string;
	readonly onAnswer: (answer: ColorAnswer) => void;
}

const ASK_KITTY = "\x1b[?u";
/** Asks what terminal it is. All terminals answer that, and by then have answered everything before. */
const ASK_DEVICE = "\x1b[c";
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const KITTY_ANSWER = /^\x1b\[\?\d+u$/;
const DEVICE_ANSWER = /^\x1b\[\?[\d;]*c$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences begin with one

/**
 * Flag 1 distinguishes keys that are the same byte otherwise; flag 4 reports the key on a US keyboard: without that, ctrl+c
 * would not work on a layout without Latin letters.
 */
const KITTY_ON = "\x1b[>5u";
const KITTY_OFF = "\x1b[<u";
const PASTE_ON = "\x1b[?2004h";
const PASTE_OFF = "\x1b[?2004l";

/** Buttons, the wheel, and motion while a button is held, in the form without a column limit (SGR). */
const MOUSE_ON = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/** The terminal says when its window gets the focus, and loses it. */
const FOCUS_ON = "\x1b[?1004h";
const FOCUS_OFF = "\x1b[?1004l";
const GOT_FOCUS = "\x1b[I";

/** A terminal on the other side of the world answers within this time. */
const ANSWER_MS = 300;
/** After this time no answer is expected, although a late one is still recognized. */
const EXPECTED_MS = 5000;

/** Opens the keyboard of the terminal behind `input` and `write`, and the mouse if `hasMouse`; `typedAhead`: earlier input. */
export function openKeyboard(
	input: TerminalInput,
	write: (text: string) => void,
	typedAhead = "",
	colors?: ColorQuestions,
	hasMouse = false,
): Keyboard {
	const splitter = createInputSplitter();
	const answer = Promise.withResolvers<void>();
	let listener: ((pieces: readonly InputPiece[]) => void) | undefined;
	let early: InputPiece[] = [];
	let flushing: ReturnType<typeof setTimeout> | undefined;
	let isReading = false;
	let hasKitty = false;
	let isOnScreen = false;
	let isKittyOn = false;

	function emit(pieces: readonly InputPiece[]): void {
		const keys = pieces.filter((piece) => !isAnswer(piece));
		if (keys.length === 0) return;
		if (listener === undefined) early.push(...keys);
		else listener(keys);
	}

	function isAnswer(piece: InputPiece): boolean {
		if (!("typed" in piece)) return false;
		if (DEVICE_ANSWER.test(piece.typed)) {
			splitter.isAnswering = false;
			answer.resolve();
			return true;
		}
		if (isColorAnswer(piece.typed)) {
			const color = readColorAnswer(piece.typed);
			if (color) colors?.onAnswer(color);
			return true;
		}
		if (!KITTY_ANSWER.test(piece.typed)) return false;
		hasKitty = true;
		if (isOnScreen) write(turnKittyOn());
		return true;
	}

	function turnKittyOn(): string {
		if (!hasKitty || isKittyOn) return "";
		isKittyOn = true;
		return KITTY_ON;
	}

	function read(chunk: string | Buffer): void {
		clearTimeout(flushing);
		emit(splitter.push(String(chunk)));
		const { patienceMs } = splitter;
		if (patienceMs !== undefined) flushing = setTimeout(() => emit(splitter.flush()), patienceMs);
	}

	function setReading(reading: boolean): void {
		if (reading === isReading) return;
		isReading = reading;
		input.setRawMode(reading);
		if (reading) {
			input.setEncoding("utf8");
			input.on("data", read);
			input.ref();
			input.resume();
			return;
		}
		input.off("data", read);
		input.pause();
		input.unref();
		clearTimeout(flushing);
		emit(splitter.flush());
	}

	if (typedAhead !== "") read(typedAhead);
	setReading(true);
	splitter.isAnswering = true;
	write(ASK_KITTY + (colors?.text ?? "") + ASK_DEVICE);
	const waiting = setTimeout(answer.resolve, ANSWER_MS);
	const expecting = setTimeout(() => {
		splitter.isAnswering = false;
	}, EXPECTED_MS);
	expecting.unref();

	return {
		inkInput: inkInput(setReading),
		listen(next) {
			listener = next;
			const pieces = early;
			early = [];
			if (pieces.length > 0) next(pieces);
			return () => {
				listener = undefined;
			};
		},
		enteredScreen() {
			isOnScreen = true;
			return PASTE_ON + FOCUS_ON + (hasMouse ? MOUSE_ON : "") + turnKittyOn();
		},
		leavingScreen() {
			isOnScreen = false;
			const off = isKittyOn ? KITTY_OFF : "";
			isKittyOn = false;
			return off + (hasMouse ? MOUSE_OFF : "") + FOCUS_OFF + PASTE_OFF;
		},
		answered: () => answer.promise,
		close() {
			clearTimeout(waiting);
			clearTimeout(expecting);
			setReading(false);
		},
	};
}

/** Whether a piece of input says that the terminal's window has got the focus; no key is decoded from it. */
export function saysFocus(piece: InputPiece): boolean {
	return "typed" in piece && piece.typed === GOT_FOCUS;
}

/** A terminal in which nothing is ever typed; Ink sets its raw mode when it needs keys, and resets it when it hands it over. */
function inkInput(setReading: (reading: boolean) => void): NodeJS.ReadStream {
	const stream = new Readable({ read: () => undefined });
	const silent = Object.assign(stream, {
		isTTY: true,
		setRawMode(mode: boolean) {
			setReading(mode);
			return silent;
		},
		ref: () => silent,
		unref: () => silent,
	});
	return silent as unknown as NodeJS.ReadStream;
}

/** Discards typed input that has not been read: it was meant for the program that had the terminal before. */
export function dropTyped(input: Pick<NodeJS.ReadStream, "setRawMode">): void {
	// Input without Enter can be read only in this mode.
	input.setRawMode(true);
	readTypedAhead();
}

/**
 * The lines that were typed before this program took the terminal. Until then the terminal turns Enter into a line feed, which
 * would mean ctrl+j now. Never waits; "" if there are none or they cannot be read.
 */
export function readTypedAhead(): string {
	let fd: number | undefined;
	let text = "";
	// On Windows reading would wait for a key.
	if (!thisSystem.isUnix) return text;
	try {
		fd = openSync(thisSystem.terminal.input, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
		const buffer = Buffer.alloc(4096);
		for (let size = readSync(fd, buffer); size > 0; size = readSync(fd, buffer))
			text += buffer.toString("utf8", 0, size);
	} catch {
		// There is no more input, or this system has no such file.
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
	return text.replaceAll("\n", "\r");
}
