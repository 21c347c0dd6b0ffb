import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** A new directory, for this person alone. */
export interface PrivateDirectory {
	readonly path: string;
	/** Removes it with its contents. Otherwise the end of this process removes it, or the next run. */
	remove(): Promise<void>;
}

/** Directories that this process has made and not removed yet. */
const present = new Set<string>();

/** Removes them all: however the process ends, no part of a session may stay behind. */
export function removePrivateDirectories(): void {
	for (const path of present) rmSync(path, { recursive: true, force: true });
}

/** Makes a directory for files that another program is to read. */
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
