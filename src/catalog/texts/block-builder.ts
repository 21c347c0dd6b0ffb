import { fold } from "../query/fold.ts";
import { KINDS, type Tier } from "../query/kinds.ts";
import type { Segment } from "../query/segment.ts";
import { BLOCK_BYTES, type Block } from "./block.ts";

/** A longer segment is cut into parts of this many characters, … */
const PART_LENGTH = 64 * 1024;
/** … each beginning with the end of the part before, so that what lies across a cut is found. */
const OVERLAP = 256;

/** Fills the blocks of one tier; hands each to `onBlock` when it is full. */
export class BlockBuilder {
	readonly #tier: Tier;
	readonly #onBlock: (block: Block) => void;
	#text: Buffer;
	#length = 0;
	#segments: number[] = [];

	constructor(tier: Tier, onBlock: (block: Block) => void) {
		this.#tier = tier;
		this.#text = Buffer.allocUnsafe(BLOCK_BYTES[tier] * 2);
		this.#onBlock = onBlock;
	}

	/** Goes on with a block that was not full. */
	resume(block: Block): void {
		block.text.copy(this.#text);
		this.#length = block.text.length;
		this.#segments = [...block.segments];
	}

	/** Takes a segment of the line (1-based) if it belongs to this tier; `tool` is the number of the tool's name, or 0. */
	add(segment: Segment, line: number, tool: number): void {
		if (KINDS[segment.kind].tier !== this.#tier) return;
		const folded = fold(segment.text);
		for (let start = 0; start === 0 || start + OVERLAP < folded.length; start += PART_LENGTH - OVERLAP) {
			const part = folded.length <= PART_LENGTH ? folded : folded.slice(start, start + PART_LENGTH);
			this.#addPart(part, line, KINDS[segment.kind].code | (tool << 5));
		}
	}

	/** Hands over what is left. */
	end(): void {
		if (this.#length > 0) this.#handOver();
	}

	#addPart(text: string, line: number, what: number): void {
		const most = text.length * 3 + 1;
		if (this.#length > 0 && this.#length + text.length > BLOCK_BYTES[this.#tier]) this.#handOver();
		if (this.#length + most > this.#text.length) {
			const larger = Buffer.allocUnsafe(this.#length + most);
			this.#text.copy(larger, 0, 0, this.#length);
			this.#text = larger;
		}
		this.#segments.push(line, what, this.#length);
		this.#length += this.#text.write(text, this.#length, "utf8");
		this.#text[this.#length] = 0;
		this.#length += 1;
	}

	#handOver(): void {
		// A copy, because this buffer is filled again before the block is stored.
		this.#onBlock({
			text: Buffer.from(this.#text.subarray(0, this.#length)),
			segments: Uint32Array.from(this.#segments),
		});
		this.#length = 0;
		this.#segments = [];
	}
}
