import { scanFile } from "../../catalog/scan/scan-file.ts";
import type { Given } from "../arguments/given.ts";
import { findWhole } from "../find/find-target.ts";
import { describeSessions } from "../find/session-json.ts";
import { jsonText } from "../print/json.ts";
import { EXIT, failWith, printJsonText, printPath } from "../print/output.ts";

/** Prints the path of a session's file; returns the exit code. */
export async function path(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const found = await findWhole(word, given);
	if ("mistake" in found) return failWith(found);
	await (given.json
		? printJsonText(jsonText((await describeSessions([found.path], given))(scanFile(found.path).row)))
		: printPath(found.path));
	return EXIT.ok;
}
