import { attempt } from "../../shared/attempt.ts";
import { dirname, isAbsolute, isUnder, join, normalize } from "../../shared/paths.ts";
import type { Steps } from "../../shared/steps.ts";
import { isDirectory } from "../../store/files/paths.ts";
import { projectSessionDir } from "../../store/read/session-dir.ts";
import { archiveOf, rootOf, type SessionRoots } from "../model/session-roots.ts";
import { SessionsElsewhere } from "./session-elsewhere.ts";

/**
 * Finds directories in which projects keep their sessions: what `<cwd>/.pi/settings.json` sets as `sessionDir`, which pi uses there, and
 * `<cwd>/.pi/sessions`. What a session says of its directory is foreign: nothing is touched that may be on another machine.
 */
export class ProjectDirs {
	readonly #sessionRoots: SessionRoots;
	readonly #elsewhere: SessionsElsewhere;

	constructor(sessionRoots: SessionRoots, elsewhere = new SessionsElsewhere(rootOf(sessionRoots))) {
		this.#sessionRoots = sessionRoots;
		this.#elsewhere = elsewhere;
	}

	/** Those of all these projects, one project a step. Never throws. */
	*of(cwds: Iterable<string>): Steps<ReadonlySet<string>> {
		const dirs = new Set<string>();
		for (const cwd of cwds) {
			for (const dir of this.ofProject(cwd)) dirs.add(dir);
			yield;
		}
		return dirs;
	}

	/** Those of one project that exist. Never throws. */
	ofProject(cwd: string): readonly string[] {
		if (!isAbsolute(cwd) || normalize(cwd) !== cwd || cwd.includes("\0") || !this.#isNear(join(cwd, ".pi"))) return [];
		const named = [projectSessionDir(cwd), join(cwd, ".pi", "sessions")].flatMap((dir) => dir ?? []);
		return named.filter((dir) => this.#isOther(dir) && this.#isNear(dir) && isDirectory(dir));
	}

	/** Whether a directory is none that is listed anyway, and contains none of these. */
	#isOther(dir: string): boolean {
		const [root, archive] = [rootOf(this.#sessionRoots), archiveOf(this.#sessionRoots)];
		return (
			[root, archive].every((listedDir) => dir !== listedDir && !isUnder(dir, listedDir)) && dir !== dirname(archive)
		);
	}

	/** False also for what does not exist. */
	#isNear(path: string): boolean {
		return attempt(() => this.#elsewhere.isNear(path)) ?? false;
	}
}
