import { ColorJob, type PlainPiece } from "../../../conversation/document/color-job.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import type { Reader } from "../../world/opened/select-reader.ts";

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
