import { scanFile } from "../../catalog/scan/scan-file.ts";
import type { Given } from "../arguments/arguments.ts";
import { findWhole } from "../find/find-target.ts";
import { describeSessions } from "../find/session-json.ts";
import { jsonText } from "../print/json.ts";
import { EXIT, failWith, printJsonText, printPath } from "../print/output.ts";

/** Prints the path of a session's file; returns the exit code. */
export async function path(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const found = await findWhole(word, given);
	if ("mistake" in found) return failWith(found);
	if (given.json) {
		const { row } = scanFile(found.path);
		await printJsonText(jsonText((await describeSessions([row], given))(row)));
	} else await printPath(found.path);
	return EXIT.ok;
}
