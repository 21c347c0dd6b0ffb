import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import type { InputPiece } from "../../src/terminal/input-splitter.ts";
import { type ColorQuestions, openKeyboard } from "../../src/terminal/keyboard.ts";
import { ASK_COLORS, ASK_PALETTE, type ColorAnswer, readColorAnswer } from "../../src/terminal/terminal-colors.ts";

/** A keyboard on a fake terminal. */
function open(typedAhead = "", colors?: ColorQuestions) {
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
	const keyboard = openKeyboard(input as never, write, typedAhead, colors);
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

test("what is typed before anything listens arrives first, in order", () => {
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
	expect(keyboard.enteredScreen()).toBe("\x1b[?2004h\x1b[?1004h");
	send("\x1b[?62;22c");
	await keyboard.answered();
	expect(keyboard.leavingScreen()).toBe("\x1b[?1004l\x1b[?2004l");
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
	expect(late.keyboard.leavingScreen()).toBe(`${POP}\x1b[?1004l\x1b[?2004l`);
	expect(late.keyboard.leavingScreen()).not.toContain(POP);
	expect(late.keyboard.enteredScreen()).toBe(`\x1b[?2004h\x1b[?1004h${PUSH}`);

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

test("Ink hands the terminal over and takes it back; nothing is read in between", () => {
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
		send("\x1b[?62c");
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

const LIGHT = "\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\";
const TEXT = "\x1b]10;rgb:65/7b/83\x07";

/** The pieces and answers from chunks with pauses before them, in ms. */
function arrive(chunks: readonly (readonly [pauseMs: number, text: string])[]) {
	vi.useFakeTimers();
	try {
		const answers: ColorAnswer[] = [];
		const { send, listen, pieces, keyboard } = open("", { text: ASK_COLORS, onAnswer: (color) => answers.push(color) });
		listen();
		for (const [pauseMs, text] of chunks) {
			vi.advanceTimersByTime(pauseMs);
			send(text);
		}
		vi.advanceTimersByTime(10_000);
		keyboard.close();
		return { answers, pieces };
	} finally {
		vi.useRealTimers();
	}
}

const ANSWERS = [
	{ of: "foreground", color: [0x65, 0x7b, 0x83] },
	{ of: "background", color: [0xfd, 0xf6, 0xe3] },
];

test("the terminal is asked for its colors along with the rest, and its answers are not keys", () => {
	expect(open("", { text: ASK_COLORS, onAnswer: () => undefined }).written()).toBe(
		"\x1b[?u\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[c",
	);
	const { answers, pieces } = arrive([[0, `a${TEXT}${LIGHT}\x1b[?62cb`]]);
	expect(answers).toEqual(ANSWERS);
	expect(pieces).toEqual([{ typed: "a" }, { typed: "b" }]);
});

test("however an answer is split and however slow the rest comes, nothing of it is a key", () => {
	for (let cut = 1; cut < LIGHT.length; cut++) {
		// A connection that splits right after Escape brings the rest with the next packet.
		const pause = cut === 1 ? 100 : 1900;
		const { answers, pieces } = arrive([
			[0, TEXT + LIGHT.slice(0, cut)],
			[pause, `${LIGHT.slice(cut)}\x1b[?62c`],
		]);
		expect(answers, `cut at ${cut}`).toEqual(ANSWERS);
		expect(pieces, `cut at ${cut}`).toEqual([]);
	}
});

test("an answer that comes late, or never ends, is not a key either", () => {
	expect(
		arrive([
			[0, "\x1b[?62c"],
			[60_000, LIGHT],
		]),
	).toEqual({ answers: [ANSWERS[1]], pieces: [] });
	expect(
		arrive([
			[0, "\x1b]11;rgb:fd"],
			[9000, "x"],
		]),
	).toEqual({ answers: [], pieces: [{ typed: "x" }] });
	expect(
		arrive([
			[0, "\x1b]11;rgb:fd"],
			[50, "\x03"],
		]).pieces.at(-1),
	).toEqual({ typed: "\x03" });
	expect(arrive([[0, "\x1b]11;cyan\x07"]])).toEqual({ answers: [], pieces: [] });
});

test("alt+] and a lone Escape are keys once the terminal has answered", () => {
	expect(
		arrive([
			[0, "\x1b[?62c"],
			[0, "\x1b]"],
			[200, "\x1b"],
			[30, "x"],
		]).pieces,
	).toEqual(["\x1b]", "\x1b", "x"].map((typed) => ({ typed })));
});

test.each([
	["\x1b]11;rgb:ffff/8080/0000\x07", { of: "background", color: [255, 128, 0] }],
	["\x1b]11;rgba:ff/80/00/ff\x1b\\", { of: "background", color: [255, 128, 0] }],
	["\x1b]10;rgb:f/0/8\x07", { of: "foreground", color: [255, 0, 136] }],
	["\x1b]10;#102030\x07", { of: "foreground", color: [16, 32, 48] }],
	["\x1b]4;13;rgb:00/11/22\x07", { of: 13, color: [0, 17, 34] }],
	["\x1b]11;?\x07", undefined],
	["\x1b]12;rgb:00/11/22\x07", undefined],
])("%j tells %j", (sequence, answer) => expect(readColorAnswer(sequence)).toEqual(answer));

test("the palette is asked for color by color", () => {
	expect(ASK_PALETTE.split("\x1b\\")).toHaveLength(17);
	expect(ASK_PALETTE).toContain("\x1b]4;15;?\x1b\\");
});
