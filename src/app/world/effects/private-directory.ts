import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** A new directory, for this person alone. */
export interface PrivateDirectory {
	readonly path: string;
	/** Removes it, with all that is in it. What is not removed so is removed at the end of this process, or by the next one. */
	remove(): Promise<void>;
}

/** Those that this process has made and not yet removed. */
const present = new Set<string>();

/** Removes them all. However it ends, nothing of a session may stay behind. */
export function removePrivateDirectories(): void {
	for (const path of present) rmSync(path, { recursive: true, force: true });
}

/** Makes a directory for files that other programs are to read. */
export async function createPrivateDirectory(): Promise<PrivateDirectory> {
	const path = await makeTemporaryDirectory();
	if (present.size === 0) process.on("exit", removePrivateDirectories);
	present.add(path);
	return {
		path,
		async remove() {
			await rm(path, { recursive: true, force: true });
			present.delete(path);
			if (present.size === 0) process.off("exit", removePrivateDirectories);
		},
	};
}
