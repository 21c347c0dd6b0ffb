import { isArchived } from "../../catalog/model/archive.ts";
import { findSessionRoots, type SessionRoots } from "../../catalog/model/session-roots.ts";
import type { Given } from "../arguments/given.ts";
import type { Mistake } from "../print/mistake.ts";
import { remark } from "../print/output.ts";
import { type SessionId, sessionIds } from "./find-session.ts";
import { findTarget, type Target } from "./find-target.ts";

/** The sessions that a command is to change, and the roots that they belong to. */
export interface Targets {
	readonly targets: readonly [Target, ...Target[]];
	readonly sessionRoots: SessionRoots;
	/** The session directory, if it is not the one of the command line; it has a history of its own. */
	readonly elsewhere?: string | undefined;
}

/**
 * Finds the sessions that words name, each once. They must belong to one list: a change of several sessions is one undo
 * step, and each list has its own history.
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
		// The archive belongs to the list, although its sessions are not listed.
		const isElsewhere = sessionDir !== undefined && !isArchived(target.path, own);
		found.set(target.path, isElsewhere ? target : rest);
	}
	const [first, ...others] = found.values();
	if (first === undefined) return { mistake: "no session is named" };
	const other = others.find(({ sessionDir }) => sessionDir !== first.sessionDir);
	if (other !== undefined)
		return {
			mistake: `${first.path} and ${other.path} are in different session directories: change one after the other`,
		};
	const { sessionDir: elsewhere } = first;
	const sessionRoots = elsewhere === undefined ? own : await findSessionRoots({ sessionDirFlag: elsewhere });
	return { targets: [first, ...others], sessionRoots, elsewhere };
}

/** After a change in another session directory, prints how to undo it: a plain undo works on the person's own. */
export function remarkElsewhere({ elsewhere }: Targets): void {
	if (elsewhere !== undefined)
		remark(`These sessions have a history of their own: pi-grove undo --session-dir ${elsewhere}`);
}
