import { lstat } from "node:fs/promises";
import { errorCode } from "./store-error.ts";

/** Whether a path exists, a broken link included. Rejects with the error of the file system. */
export async function isThere(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return false;
		throw error;
	}
}
