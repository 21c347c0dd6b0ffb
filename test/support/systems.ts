import { LINUX, MACOS, type System, WINDOWS } from "../../src/shared/system.ts";

/** A person on a system, whose sessions are read on any other. */
export interface SystemCase {
	readonly name: string;
	readonly system: System;
	readonly home: string;
	/** The directory of a project. */
	readonly cwd: string;
	/** The absolute path of a name in it, with "/". */
	file(name: string): string;
}

function caseOf(name: string, system: System, home: string): SystemCase {
	const cwd = system.paths.join(home, "work", "api");
	return { name, system, home, cwd, file: (below) => system.paths.join(cwd, below) };
}

/** Of each system: their rules are tried on whatever system the tests run. */
export const SYSTEMS = [
	caseOf("Linux", LINUX, "/home/ada"),
	caseOf("macOS", MACOS, "/Users/ada"),
	caseOf("Windows", WINDOWS, "C:\\Users\\ada"),
] as const;
