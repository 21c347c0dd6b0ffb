import { homedir } from "node:os";
import { note } from "../print/output.ts";

/** Where to go when the current directory was deleted; the root of the disk is always there. */
const ELSEWHERE = [homedir, () => "/"];

/**
 * Leaves a current directory that was deleted, because nothing can be started in one and no relative path means anything
 * in it; says so on stderr.
 */
export function leaveDeletedDirectory(): void {
	try {
		process.cwd();
	} catch {
		const home = ELSEWHERE.map((place) => place()).find(canEnter);
		note(`the current directory was deleted; going on in ${home ?? "none"}`);
	}
}

function canEnter(directory: string): boolean {
	try {
		process.chdir(directory);
		return true;
	} catch {
		// No home directory either.
		return false;
	}
}
