import { EXIT } from "./exit-code.ts";
import { allowedKinds } from "./findings.ts";
import type { Given } from "./given.ts";
import { endWith } from "./mistake.ts";
import { printPieces } from "./output.ts";
import type { ReadTarget } from "./read-target.ts";
import { piecesOf, shareOf, tellShare } from "./share-target.ts";

/** Prints a session as the page that `export` saves, with the same masked; returns the exit code. */
export async function showPage(read: ReadTarget, given: Given): Promise<number> {
	const allowed = allowedKinds(given.allow);
	if ("mistake" in allowed) return endWith(allowed);
	const prepared = await shareOf(read, given, allowed);
	if ("mistake" in prepared) return endWith(prepared);
	tellShare(prepared, "html");
	const pieces = await piecesOf(prepared, "html");
	await printPieces(pieces());
	return EXIT.ok;
}
