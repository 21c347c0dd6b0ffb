import { rowsFrom } from "../../../conversation/document/walk.ts";
import type { Reader } from "../../world/opened/select-reader.ts";

/** An image in the conversation. */
export interface ShownImage {
	readonly entryId: string;
	readonly base64: string;
}

/** The first image in sight. */
export function imageInSight({ document, top, height }: Reader): ShownImage | undefined {
	for (const { at } of rowsFrom(document, top, height)) {
		const image = document.pieces(at.entry)[at.piece]?.image;
		const entry = document.path[at.entry];
		if (image !== undefined && entry !== undefined) return { entryId: entry.id, base64: image };
	}
	return undefined;
}
