import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { filesAtEntry } from "../../../src/edits/files-at.ts";
import { blame } from "../../../src/library.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { blobOf } from "./disk.ts";
import type { World } from "./world.ts";
import type { WorldSession } from "./world-session.ts";

/*
 * What the engine is asked, in this process. Only here its functions are called.
 */

/** A file as the engine says that it was. */
export interface ToldFile {
	/** Undefined for a file of the commit that no row names. */
	readonly answer?: "exact" | "likely" | "unknown";
	readonly why: string;
	/** Git's name of its content, or of the target of a link; undefined if it was not there, or what it held is not known. */
	readonly blob: string | undefined;
	/** Git's mode, "100755"; undefined if nothing is said. */
	readonly mode: string | undefined;
}

/** All files as of an entry, by their names below the session's root: the rows, and those of the commit. */
export async function toldFiles(
	world: World,
	session: WorldSession,
	entryId: string,
): Promise<ReadonlyMap<string, ToldFile>> {
	const rows = world.sessions.map(({ path }) => scanFile(path).row);
	const clone = world.now.has(session.root) ? undefined : world.root;
	const read = await readSession(session.path);
	const { base, root, files } = await filesAtEntry(read, entryId, { home: world.home, rows, clone });
	const told = new Map(base === undefined ? [] : treeOf(world.root, base.commit));
	const below = clone === undefined ? relative(session.root, root) : "";
	for (const { name, answer, why, text, isAbsent, isLink } of files) {
		const committed = told.get(join(below, name));
		const own = text === undefined ? undefined : blobOf(Buffer.from(text));
		const blob = text === undefined && !isAbsent ? committed?.blob : own;
		const mode = isLink === true ? "120000" : text === undefined ? committed?.mode : undefined;
		told.set(join(below, name), { answer, why, blob, mode });
	}
	return told;
}

/** The files of a commit. */
function treeOf(root: string, commit: string): readonly (readonly [string, ToldFile])[] {
	const listed = execFileSync("git", ["ls-tree", "-rz", "--full-tree", commit], { cwd: root, encoding: "utf8" });
	return [...listed.matchAll(/(\d+) blob (\w+)\t([^\0]+)\0/g)].map(([, mode, blob, name = ""]) => {
		return [name, { why: "as committed", blob, mode }];
	});
}

/** Who wrote a line, as the engine says. */
export interface ToldLine {
	readonly answer: "exact" | "candidates" | "unknown";
	readonly why: string;
	/** The files of the sessions. */
	readonly sessions: readonly string[];
}

/** The lines of a text file as it is now. */
export async function toldLines(world: World, path: string): Promise<readonly ToldLine[]> {
	const env = { ...process.env, PI_CODING_AGENT_DIR: world.agentDir, XDG_STATE_HOME: join(world.home, "state") };
	const options = { env, home: world.home, cwd: world.root, cacheDir: join(world.home, "cache"), blocking: true };
	const lines = await blame(path, options);
	return lines.map(({ answer, why, edits }) => ({ answer, why, sessions: edits.map(({ session }) => session) }));
}
