/** Erases the scrollback of the terminal, and of tmux, along with the screen. */
const eraseScrollback = "\x1b[3J";

/** The part of a terminal's output stream that is used here. */
export interface Writes {
	write: (...args: never[]) => boolean;
}

/**
 * Keeps the "erase the scrollback" sequence from reaching a terminal, by wrapping `stream.write`.
 * Ink 7.1.1 writes it when a frame as tall as the screen is replaced by a lower one and when it leaves, which would
 * take the person's shell history away. Ink writes it in one piece with the frame, so no sequence is split over writes.
 * Returns a function that puts the original `write` back.
 */
export function keepScrollback(stream: Writes): () => void {
	const original = stream.write;
	const filtered = (...args: unknown[]): boolean => {
		const [chunk, ...rest] = args;
		const kept = typeof chunk === "string" ? chunk.replaceAll(eraseScrollback, "") : chunk;
		return Reflect.apply(original, stream, [kept, ...rest]);
	};
	stream.write = filtered;
	return () => {
		stream.write = original;
	};
}
