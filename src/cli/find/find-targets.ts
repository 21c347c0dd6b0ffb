import { isArchived } from "../../catalog/model/archive.ts";
import { findSessionRoots, type SessionRoots } from "../../catalog/model/session-roots.ts";
import type { Given } from "../arguments/given.ts";
import type { Mistake } from "../print/mistake.ts";
import { remark } from "../print/output.ts";
import { type SessionId, sessionIds } from "./find-session.ts";
import { findTarget, type Target } from "./find-target.ts";

/** The sessions that a command is to change, and where the sessions are that it belongs to. */
export interface Targets {
	readonly targets: readonly [Target, ...Target[]];
	readonly sessionRoots: SessionRoots;
	/** The directory of them, where it is not that of the command line: their history is its own. */
	readonly elsewhere?: string | undefined;
}

/**
 * The sessions that words name, each once. They must be of one list: what is done to several is one step for undo, and each
 * list of sessions has its own history.
 */
export async function findTargets(words: readonly string[], given: Given): Promise<Targets | Mistake> {
	const own = await findSessionRoots({ sessionDirFlag: given.sessionDir });
	let known: readonly SessionId[] | undefined;
	const ids = (): readonly SessionId[] => {
		known ??= sessionIds(own);
		return known;
	};
	const found = new Map<string, Target>();
	for (const word of words) {
		const target = await findTarget(word, given, { archived: true, ids });
		if ("mistake" in target) return target;
		const { sessionDir, ...rest } = target;
		// The archive belongs to the list, although it is not listed.
		const isAway = sessionDir !== undefined && !isArchived(target.path, own);
		found.set(target.path, isAway ? target : rest);
	}
	const [first, ...others] = found.values();
	if (first === undefined) return { mistake: "no session is named" };
	const stranger = others.find(({ sessionDir }) => sessionDir !== first.sessionDir);
	if (stranger !== undefined)
		return { mistake: `${first.path} and ${stranger.path} belong to different lists of sessions: name them in turn` };
	const { sessionDir: elsewhere } = first;
	const sessionRoots = elsewhere === undefined ? own : await findSessionRoots({ sessionDirFlag: elsewhere });
	return { targets: [first, ...others], sessionRoots, elsewhere };
}

/** Says how a change of sessions of another directory is undone, since a plain undo is of the person's own. */
export function remarkElsewhere({ elsewhere }: Targets): void {
	if (elsewhere !== undefined)
		remark(`These sessions have a history of their own: pi-grove undo --session-dir ${elsewhere}`);
}
