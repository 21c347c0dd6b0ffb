import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import type { InputPiece } from "../../src/terminal/input-splitter.ts";
import { openKeyboard } from "../../src/terminal/keyboard.ts";

/** A keyboard on a terminal that is only remembered. */
function open(typedAhead = "") {
	let written = "";
	const modes: boolean[] = [];
	const input = Object.assign(new EventEmitter(), {
		setRawMode(mode: boolean) {
			modes.push(mode);
			return input;
		},
		setEncoding: () => input,
		resume: () => input,
		pause: () => input,
		ref: () => input,
		unref: () => input,
	});
	const write = (text: string): void => {
		written += text;
	};
	const keyboard = openKeyboard(input as never, write, typedAhead);
	const pieces: InputPiece[] = [];
	return {
		keyboard,
		modes,
		pieces,
		written: () => written,
		send: (text: string) => input.emit("data", text),
		listen: () => keyboard.listen((more) => pieces.push(...more)),
	};
}

const PUSH = "\x1b[>5u";
const POP = "\x1b[<u";

test("what is typed before anyone listens arrives first, in its order", () => {
	const { modes, send, listen, pieces } = open("ahead\r");
	expect(modes).toEqual([true]);
	send("ab");
	send("\x1b[B");
	expect(pieces).toEqual([]);
	listen();
	send("c");
	expect(pieces).toEqual([{ typed: "ahead\r" }, { typed: "ab" }, { typed: "\x1b[B" }, { typed: "c" }]);
});

test("a terminal that does not know the kitty protocol is never told to use it", async () => {
	const { keyboard, written, send, listen, pieces } = open();
	listen();
	expect(written()).toBe("\x1b[?u\x1b[c");
	expect(keyboard.enteredScreen()).toBe("\x1b[?2004h");
	send("\x1b[?62;22c");
	await keyboard.answered();
	expect(keyboard.leavingScreen()).toBe("\x1b[?2004l");
	expect(written()).toBe("\x1b[?u\x1b[c");
	expect(pieces).toEqual([]);
});

test("a terminal that answers nothing is waited for once, and not for long", async () => {
	vi.useFakeTimers();
	try {
		const { keyboard } = open();
		let isAnswered = false;
		const answered = keyboard.answered().then(() => {
			isAnswered = true;
		});
		await vi.advanceTimersByTimeAsync(299);
		expect(isAnswered).toBe(false);
		await vi.advanceTimersByTimeAsync(1);
		await answered;
		await keyboard.answered();
		keyboard.close();
	} finally {
		vi.useRealTimers();
	}
});

test("the kitty protocol is on only while the screen is ours, whenever the answer comes", () => {
	const late = open();
	late.keyboard.enteredScreen();
	late.send("\x1b[?0u\x1b[?62c");
	expect(late.written().endsWith(PUSH)).toBe(true);
	expect(late.keyboard.leavingScreen()).toBe(`${POP}\x1b[?2004l`);
	expect(late.keyboard.leavingScreen()).not.toContain(POP);
	expect(late.keyboard.enteredScreen()).toBe(`\x1b[?2004h${PUSH}`);

	const early = open();
	early.send("\x1b[?0u");
	expect(early.written()).not.toContain(PUSH);
	expect(early.keyboard.enteredScreen()).toContain(PUSH);

	const gone = open();
	gone.keyboard.enteredScreen();
	gone.keyboard.leavingScreen();
	gone.send("\x1b[?0u");
	expect(gone.written()).not.toContain(PUSH);
});

test("Ink gives the terminal away and takes it back; nothing is read in between", () => {
	const { keyboard, modes, send, listen, pieces } = open();
	listen();
	keyboard.inkInput.setRawMode(true);
	keyboard.inkInput.setRawMode(false);
	send("for the shell");
	keyboard.inkInput.setRawMode(true);
	send("x");
	keyboard.close();
	keyboard.close();
	expect(modes).toEqual([true, false, true, false]);
	expect(pieces).toEqual([{ typed: "x" }]);
});

test("a lone Escape arrives when nothing follows, and at once when the keyboard is closed", () => {
	vi.useFakeTimers();
	try {
		const { keyboard, send, listen, pieces } = open();
		listen();
		send("\x1b");
		expect(pieces).toEqual([]);
		vi.advanceTimersByTime(20);
		expect(pieces).toEqual([{ typed: "\x1b" }]);
		send("\x1b");
		keyboard.close();
		expect(pieces).toHaveLength(2);
	} finally {
		vi.useRealTimers();
	}
});
