import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { Env } from "../../store/read/session-dir.ts";
import { rootOf, type SessionRoots } from "../model/session-roots.ts";
import { withOtherForms } from "../query/other-forms.ts";
import type { Query } from "../query/parse-query.ts";
import type { SessionFile } from "../scan/session-files.ts";
import { firstRipgrep } from "./find-ripgrep.ts";
import { onlyWord, sightPass } from "./first-sessions.ts";
import type { GrepPass } from "./grep.ts";
import { GrepAhead } from "./grep-ahead.ts";
import { firstPassForForms } from "./narrow-files.ts";
import { firstPass } from "./search-files.ts";

/** Files that were changed so shortly before ripgrep was started, or later, may have got into their place behind its back. */
export const MARGIN_MS = 100;

/** A ripgrep that was started before the files were found. */
export interface StartedAhead {
	readonly ahead: GrepAhead;
	/** To be called with the files once they are found. */
	found(files: readonly SessionFile[]): void;
}

/**
 * Starts the first pass of a search of all files; finding them takes as long as loading the program. `isCut`: only the first results
 * are wanted. Undefined if that pass depends on what is known later.
 */
export async function startAhead(
	query: Query,
	isCut: boolean,
	sessionRoots: SessionRoots,
	env: Env,
	signal: AbortSignal,
): Promise<StartedAhead | undefined> {
	const pass = passFor(query, isCut);
	if (pass === undefined) return undefined;
	const directory = rootOf(sessionRoots);
	const depth = sessionRoots.kind === "custom" ? 1 : 2;
	const began = Date.now() - MARGIN_MS;
	const ahead = new GrepAhead(await firstRipgrep(env), pass, { directory, depth }, signal);
	return {
		ahead,
		found(files) {
			const real = realIfThere(directory);
			const start = directory + sep;
			// What only a link leads to is not searched.
			const isOwn = ({ path, realpath }: SessionFile): boolean =>
				real === directory ? realpath === path : realpath === `${real}${path.slice(directory.length)}`;
			const isCovered = (file: SessionFile): boolean =>
				Math.max(file.ctimeMs, file.mtimeMs) < began &&
				file.path.startsWith(start) &&
				isAtDepth(file.path, start.length, depth) &&
				isOwn(file);
			ahead.covers(files.filter(isCovered).map(({ path }) => path));
		},
	};
}

function passFor(query: Query, isCut: boolean): GrepPass | undefined {
	const word = isCut ? onlyWord(query) : undefined;
	if (word !== undefined) return sightPass(word);
	const inForms = isCut ? undefined : withOtherForms(query);
	return inForms === undefined ? firstPass(query) : (firstPassForForms(inForms) ?? firstPass(query));
}

/** Whether so many names follow in a path from `from` on, 1 or 2. */
function isAtDepth(path: string, from: number, depth: number): boolean {
	const first = path.indexOf(sep, from);
	return depth === 1 ? first === -1 : first !== -1 && path.indexOf(sep, first + 1) === -1;
}

function realIfThere(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		// Nothing is searched there.
		return undefined;
	}
}
