/** A color that the terminal reports: of its text, of its background, or of its palette by number; 8 bits per channel. */
export interface ColorAnswer {
	readonly of: "foreground" | "background" | number;
	readonly color: readonly [red: number, green: number, blue: number];
}

/** Asks for the terminal's own text color and background (OSC 10 and 11); a terminal without support does not answer. */
export const ASK_COLORS = "\x1b]10;?\x1b\\\x1b]11;?\x1b\\";
/** Asks for its 16 colors (OSC 4). */
export const ASK_PALETTE = Array.from({ length: 16 }, (_, index) => `\x1b]4;${index};?\x1b\\`).join("");

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
/** A complete answer to one of these, with any value. */
const ANSWER = /^\x1b\](?:(1[01])|4;(\d{1,3}));([^\x07\x1b]*)(?:\x07|\x1b\\)$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const VALUE =
	/^(?:rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?|#([\da-f]{2})([\da-f]{2})([\da-f]{2}))$/i;

export function isColorAnswer(sequence: string): boolean {
	return ANSWER.test(sequence);
}

/** Undefined if the value is not a color. */
export function readColorAnswer(sequence: string): ColorAnswer | undefined {
	const [, own, index, text = ""] = ANSWER.exec(sequence) ?? [];
	const [, ...channels] = VALUE.exec(text) ?? [];
	const [red, green, blue] = channels.filter((channel) => channel !== undefined).map(byteOf);
	if (red === undefined || green === undefined || blue === undefined) return undefined;
	const of = own === undefined ? Number(index) : own === "11" ? "background" : "foreground";
	return { of, color: [red, green, blue] };
}

/** Scales a channel of 4 to 16 bits to 8 bits. */
function byteOf(digits: string): number {
	return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}
