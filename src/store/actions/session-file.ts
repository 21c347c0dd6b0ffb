import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { errorCode, StoreError } from "../files/store-error.ts";

/**
 * Only what is listed as a session is moved: a path may come from a file, which may say anything. Throws a `StoreError`:
 * "Cannot <what>: …".
 */
export function requireSessionName(path: string, what: string): void {
	if (path.endsWith(".jsonl") && isAbsolute(path)) return;
	const reason = "it is not the absolute path of a session file, whose name ends in .jsonl";
	throw new StoreError(path, "not-a-session", `Cannot ${what}: ${reason}. Path: ${path}`);
}

/** In bytes; of a link, of the file that it leads to, and 0 where it leads nowhere, as the list shows it. */
export async function sizeBehind(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		if (errorCode(error) === "ENOENT" || errorCode(error) === "ELOOP") return 0;
		throw error;
	}
}
