import { existsSync } from "node:fs";
import { join } from "../shared/paths.ts";
import { isReason } from "./git-process.ts";
import type { TreeFile } from "./git-trees.ts";
import type { WorktreeGround } from "./grounds.ts";
import type { SessionEvent } from "./session-events.ts";

/** A working tree as another tool kept it: a commit whose tree is what was there, without the ignored files. */
export interface TreeSnapshot {
	readonly commit: string;
	/** Unix ms. */
	readonly timeMs: number;
	/** The files that differ from the snapshot before, for the first one from the commit that the sessions began with, by absolute path. */
	readonly changes: ReadonlyMap<string, TreeFile | undefined>;
	/** Whether files that are missing may have become ignored. */
	readonly hasNewRules: boolean;
}

/** How the messages begin of pi-rewind and checkpoint-pi, of both forms of pi-rewind-hook, and of atomic. */
const MESSAGE = /^(?:pi-rewind:|checkpoint:|rewind backup\n|pi rewind snapshot\n|\{"version":1,)/;
/** The moment in a message: of the others there is only that of the commit, without milliseconds. */
const MOMENT = /^created (\S+)\nuntracked |^\{"version":1,.*"timestamp":(\d{13})[,}]/m;

/** The snapshots that other tools keep as refs of a working tree since a time (Unix ms), oldest first. */
export async function readSnapshots(
	ground: WorktreeGround,
	sinceMs: number,
	steps: readonly SessionEvent[],
): Promise<readonly TreeSnapshot[]> {
	const { repository, base } = ground;
	const snapshotCommits = await repository.snapshotCommits(sinceMs);
	if (isReason(snapshotCommits)) return [];
	const sessions = new Map(steps.map(({ witness: { session } }) => [session.header?.id ?? "", session]));
	sessions.delete("");
	// The refs are those of all worktrees.
	const isAlone = ground.top === repository.top && !existsSync(join(repository.common, "worktrees"));
	const datedCommits = snapshotCommits.flatMap(({ commit, committedMs, ref, message }) => {
		if (!MESSAGE.test(message)) return [];
		const [, created, atMs] = MOMENT.exec(message) ?? [];
		const exactMs = created === undefined ? Number(atMs) : Date.parse(created);
		const [timeMs, untilMs] = Number.isNaN(exactMs) ? [committedMs, committedMs + 999] : [exactMs, exactMs];
		const names = `${ref} ${message}`;
		const session = sessions.entries().find(([id]) => names.includes(id))?.[1];
		if (session === undefined ? !isAlone : !ground.has(session.header?.cwd ?? "")) return [];
		// What ran at that moment may have been half done.
		const isBlurred = steps.some(
			({ act, startMs, endMs, witness }) =>
				act.kind !== "prompt" &&
				act.kind !== "read" &&
				((endMs > timeMs && endMs <= untilMs) ||
					(session !== undefined && witness.session !== session && startMs < timeMs && endMs > timeMs)),
		);
		return isBlurred ? [] : [{ commit, timeMs: untilMs }];
	});
	datedCommits.sort((one, other) => one.timeMs - other.timeMs);
	const pairs = datedCommits.map(({ commit }, index) => ({
		before: datedCommits[index - 1]?.commit ?? base,
		after: commit,
	}));
	const differences = await repository.differences(pairs);
	if (isReason(differences)) return [];
	return datedCommits.map(({ commit, timeMs }, index) => {
		const changes = (differences[index] ?? []).map(({ path, after }) => [ground.pathOf(path), after] as const);
		const hasNewRules = changes.some(([path]) => path.endsWith(".gitignore"));
		return { commit, timeMs, changes: new Map(changes), hasNewRules };
	});
}
