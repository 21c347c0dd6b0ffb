import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isArchived } from "../catalog/model/archive.ts";
import { rootOf, type SessionRoots } from "../catalog/model/session-roots.ts";
import { findSessionFiles } from "../catalog/scan/session-files.ts";
import { runToEnd } from "../shared/steps.ts";
import { explain } from "../store/files/store-error.ts";
import { readHeader } from "../store/read/read-header.ts";

/** The session that the command line names, or why there is none. */
export type FoundSession =
	| {
			/** Its path, as the list of the sessions has it. */
			readonly path: string;
			/** The directory that is shown instead of the person's own, because the session is not in that. */
			readonly sessionDir?: string;
	  }
	| { readonly mistake: string };

/** Sessions that are named when several match. */
const MOST_NAMED = 5;

/**
 * The session that a word of the command line is: like pi's `--session`, a path if it holds a slash or ends in `.jsonl`, else
 * an id or its beginning.
 */
export function findSession(word: string, sessionRoots: SessionRoots, cwd: string): FoundSession {
	return /[/\\]|\.jsonl$/.test(word) ? findFile(resolve(cwd, word), sessionRoots) : findId(word, sessionRoots);
}

function findFile(path: string, sessionRoots: SessionRoots): FoundSession {
	try {
		if (!statSync(path).isFile()) return { mistake: `${path} is not a file` };
		if (!path.endsWith(".jsonl")) return { mistake: `${path} is not a session file: its name does not end in .jsonl` };
		const real = realpathSync(dirname(path));
		const listed = listedDirectories(sessionRoots).find((directory) => realOf(directory) === real);
		if (listed !== undefined) return { path: join(listed, basename(path)) };
		// pi looks for the sessions of such a file in its directory too.
		return { path, sessionDir: dirname(path) };
	} catch (error) {
		return { mistake: `cannot open ${path}: ${explain(error)}` };
	}
}

/** The directories in which sessions are listed. */
function listedDirectories(sessionRoots: SessionRoots): string[] {
	if (sessionRoots.kind === "custom") return [sessionRoots.dir];
	const { root } = sessionRoots;
	try {
		return readdirSync(root).map((name) => join(root, name));
	} catch {
		// pi makes it with the first session.
		return [];
	}
}

function realOf(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

function findId(word: string, sessionRoots: SessionRoots): FoundSession {
	const { files } = runToEnd(findSessionFiles(sessionRoots));
	const all = files.flatMap(({ path }) => {
		const id = readHeader(path)?.id;
		return id?.startsWith(word) ? [{ path, id }] : [];
	});
	const known = all.filter(({ path }) => !isArchived(path, sessionRoots));
	const [away] = all;
	if (known.length === 0 && away !== undefined)
		return {
			mistake: `the session ${away.id} is archived; bring it back in the browser (scope "archived"): ${away.path}`,
		};
	const exact = known.filter(({ id }) => id === word);
	const found = exact.length > 0 ? exact : known;
	const [first] = found;
	if (first === undefined)
		return {
			mistake: `no session in ${rootOf(sessionRoots)} has an id that begins with ${word}, and no command is called so`,
		};
	if (found.length === 1) return { path: first.path };
	const named = found.slice(0, MOST_NAMED).map(({ path }) => path);
	const more = found.length > MOST_NAMED ? `, and ${found.length - MOST_NAMED} more` : "";
	const what = exact.length > 0 ? "have the id" : "have an id that begins with";
	return { mistake: `${found.length} sessions ${what} ${word}; name one by its path: ${named.join(", ")}${more}` };
}
