import type { Steps } from "../../../shared/steps.ts";
import type { ReaderDocument } from "./document.ts";
import type { Reader } from "./select-reader.ts";
import { rowsFrom } from "./walk.ts";

/** A piece with code in it that is drawn without colors so far. */
interface PlainPiece {
	readonly entry: number;
	readonly piece: number;
}

/** Pieces of a conversation that are to be drawn again with colors in their code, one in a step. */
export class ColorJob {
	readonly document: ReaderDocument;
	readonly #pieces: readonly PlainPiece[];

	constructor(document: ReaderDocument, pieces: readonly PlainPiece[]) {
		this.document = document;
		this.#pieces = pieces;
	}

	*steps(): Steps<void> {
		for (const { entry, piece } of this.#pieces) {
			this.document.color(entry, piece);
			yield;
		}
	}
}

/** What of the code in sight is without colors; undefined when there is none. */
export function colorJob({ document, top, height }: Reader): ColorJob | undefined {
	const pieces: PlainPiece[] = [];
	for (const { at } of rowsFrom(document, top, height)) {
		const last = pieces.at(-1);
		const isKnown = last?.entry === at.entry && last.piece === at.piece;
		if (!isKnown && document.isPlain(at.entry, at.piece)) pieces.push({ entry: at.entry, piece: at.piece });
	}
	return pieces.length === 0 ? undefined : new ColorJob(document, pieces);
}
