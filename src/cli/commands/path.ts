import { readHeader } from "../../store/read/read-header.ts";
import type { Given } from "../arguments/given.ts";
import { findWhole } from "../find/find-target.ts";
import { EXIT } from "../print/exit-code.ts";
import { jsonText } from "../print/json.ts";
import { failWith } from "../print/mistake.ts";
import { printJsonText, printPath } from "../print/output.ts";

/** Prints the path of a session's file; returns the exit code. */
export async function path(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const found = await findWhole(word, given);
	if ("mistake" in found) return failWith(found);
	await (given.json ? printJsonText(jsonText(pathJson(found.path))) : printPath(found.path));
	return EXIT.ok;
}

/** The path, and the fields of the header that identify the session; "" for missing ones. */
function pathJson(file: string): Readonly<Record<"path" | "id" | "cwd", string>> {
	const header = readHeader(file);
	const cwd = header?.cwd;
	return { path: file, id: header?.id ?? "", cwd: typeof cwd === "string" ? cwd : "" };
}
