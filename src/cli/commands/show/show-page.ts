import type { Given } from "../../arguments/given.ts";
import type { ReadTarget } from "../../find/read-target.ts";
import { EXIT } from "../../print/exit-code.ts";
import { endWith } from "../../print/mistake.ts";
import { printPieces } from "../../print/output.ts";
import { allowedKinds } from "../share/findings.ts";
import { piecesOf, shareOf, tellShare } from "../share/share-target.ts";

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
