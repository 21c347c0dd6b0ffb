/** A piece of input: text without escape characters or one escape sequence, a paste, or a mouse report. */
export type InputPiece = { readonly typed: string } | { readonly paste: string } | { readonly mouse: string };

/** Cuts what a terminal sends into pieces, however it is spread over reads. */
interface InputSplitter {
	/** Returns the pieces that this chunk completes; an incomplete sequence is kept. */
	push(chunk: string): InputPiece[];
	/** How long to wait for the rest of a kept sequence before `flush`; undefined if nothing is kept. */
	readonly patienceMs: number | undefined;
	/** Whether the terminal has been queried, so that a kept sequence is more likely its answer than a key. */
	isAnswering: boolean;
	/** Returns what is kept as complete: a lone Escape is the key. */
	flush(): InputPiece[];
}

/** A key sends its escape sequence at once; a person needs longer than this from Escape to the next key. */
const ESCAPE_MS = 20;
/** The rest of a sequence may come in the next packet of a slow connection. */
const FRAGMENT_MS = 150;
/** For the beginning of a terminal's answer, which no key sends; a connection that splits it may be very slow. */
const ANSWER_MS = 2000;

const ESC = "\x1b";
const PASTE_BEGINS = "\x1b[200~";
const PASTE_ENDS = "\x1b[201~";
const INTERRUPT = "\x03";

/** CSI with its parameters, also as the Linux console sends F1 to F5 and rxvt sends Shift; SS3; answers (OSC, DCS, PM, APC). */
const WHOLE =
	/^\x1b{1,2}(?:\[\[[A-E]|\[M[^\x00-\x1f]{3}|\[\d\$|\[(?!M)[0-?]*[ -/]*[@-Z\\-~]|O[@-~])|^\x1b[\]P^_][^\x00-\x1f]*(?:\x07|\x1b\\)/;
/** The beginning of one of these, up to the end of the input. */
const BEGUN = /^\x1b{1,2}(?:\[\[?|\[M[^\x00-\x1f]{0,2}|\[[0-?]*[ -/]*|O)?$|^\x1b[\]P^_][^\x00-\x1f]*\x1b?$/;
/** Escape, and a report of focus or mouse that came right behind it: alone they are no key with alt. */
const ESCAPE_AND_REPORT = /^\x1b(?=\x1b\[(?:[IO]|<[\d;]+[Mm]))/;
/** A mouse report, and one in the old form, which is dropped. */
const MOUSE = /^\x1b\[<[\d;]+[Mm]$/;
const OLD_MOUSE = /^\x1b\[M[^\x00-\x1f]{3}$/;
/** The beginning of an answer with a color (OSC 4, 10, 11), which no key sends. */
const ANSWER_BEGUN = /^\x1b\](?:4|1[01]);[\da-frg:;#/?]*/i;

export function createInputSplitter(): InputSplitter {
	let keptInput = "";
	let isAnswering = false;
	/** The chunks of a paste that has not ended. */
	let paste: string[] | undefined;

	function split(input: string): InputPiece[] {
		const pieces: InputPiece[] = [];
		let at = 0;
		while (at < input.length) {
			const next = input.indexOf(ESC, at);
			if (next !== at) {
				const end = next === -1 ? input.length : next;
				pieces.push({ typed: input.slice(at, end) });
				at = end;
				continue;
			}
			const rest = input.slice(at);
			const torn = tornAnswer(rest);
			if (torn > 0) {
				at += torn;
				continue;
			}
			const sequence =
				ESCAPE_AND_REPORT.exec(rest)?.[0] ?? WHOLE.exec(rest)?.[0] ?? (BEGUN.test(rest) ? undefined : twoKeys(rest));
			if (sequence === undefined) {
				keptInput = rest;
				break;
			}
			at += sequence.length;
			if (OLD_MOUSE.test(sequence)) continue;
			if (sequence !== PASTE_BEGINS) {
				pieces.push(MOUSE.test(sequence) ? { mouse: sequence } : { typed: sequence });
				continue;
			}
			paste = [];
			return [...pieces, ...readPaste(input.slice(at))];
		}
		return pieces;
	}

	function readPaste(chunk: string): InputPiece[] {
		const chunks = paste ?? [];
		// No one pastes only Ctrl+C, and it must lead out of a paste that never ends.
		if (chunk === INTERRUPT) {
			paste = undefined;
			return [{ paste: chunks.join("") }, { typed: chunk }];
		}
		// The end may begin in the chunk before.
		const last = (chunks.pop() ?? "") + chunk;
		const end = last.indexOf(PASTE_ENDS);
		if (end === -1) {
			const open = Math.max(0, last.length - PASTE_ENDS.length);
			paste = [...chunks, last.slice(0, open), last.slice(open)];
			return [];
		}
		paste = undefined;
		return [{ paste: chunks.join("") + last.slice(0, end) }, ...split(last.slice(end + PASTE_ENDS.length))];
	}

	return {
		push(chunk) {
			if (paste !== undefined) return readPaste(chunk);
			const input = keptInput + chunk;
			keptInput = "";
			return split(input);
		},
		get patienceMs() {
			if (keptInput === "") return undefined;
			if (ANSWER_BEGUN.test(keptInput) || (isAnswering && keptInput.startsWith(`${ESC}]`))) return ANSWER_MS;
			return !isAnswering && (keptInput === ESC || keptInput === ESC + ESC) ? ESCAPE_MS : FRAGMENT_MS;
		},
		get isAnswering() {
			return isAnswering;
		},
		set isAnswering(value) {
			isAnswering = value;
		},
		flush() {
			const rest = keptInput;
			keptInput = "";
			if (rest === "") return [];
			if (rest === ESC || rest === ESC + ESC) return [{ typed: rest }];
			if (ANSWER_BEGUN.test(rest)) return [];
			// Alt with a key that also begins a sequence, and what was typed after it; or a fragment of a sequence.
			const first = twoKeys(rest);
			return rest.startsWith(`${ESC}[`) && rest.length > 2
				? []
				: [{ typed: first }, ...split(rest.slice(first.length))];
		},
	};
}

/** Length of an answer that was cut off, because something else follows it; 0 if there is none. */
function tornAnswer(input: string): number {
	const begun = ANSWER_BEGUN.exec(input)?.[0] ?? "";
	const isTorn = begun !== "" && !WHOLE.test(input) && input.length > begun.length && input.slice(begun.length) !== ESC;
	return isTorn ? begun.length : 0;
}

/** Escape with the character after it, which is Alt with that key; or Escape twice. */
function twoKeys(input: string): string {
	const next = input.codePointAt(1);
	return next === undefined ? input : ESC + String.fromCodePoint(next);
}
