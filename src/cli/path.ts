import { readHeader } from "../store/read/read-header.ts";
import { EXIT } from "./exit-code.ts";
import { findWhole } from "./find-target.ts";
import type { Given } from "./given.ts";
import { jsonText } from "./json.ts";
import { endWith } from "./mistake.ts";
import { printJsonText, printPath } from "./output.ts";

/** Prints the path of a session's file; returns the exit code. */
export async function path(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const found = await findWhole(word, given);
	if ("mistake" in found) return endWith(found);
	await (given.json ? printJsonText(jsonText(pathJson(found.path))) : printPath(found.path));
	return EXIT.ok;
}

/** What of the header tells one file from another; "" where it lacks that. */
function pathJson(file: string): Readonly<Record<"path" | "id" | "cwd", string>> {
	const header = readHeader(file);
	const cwd = header?.cwd;
	return { path: file, id: header?.id ?? "", cwd: typeof cwd === "string" ? cwd : "" };
}
