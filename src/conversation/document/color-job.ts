import type { Steps } from "../../shared/steps.ts";
import type { ReaderDocument } from "./document.ts";

/** A piece with code in it that is drawn without colors so far. */
export interface PlainPiece {
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
