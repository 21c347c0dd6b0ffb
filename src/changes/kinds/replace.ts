import { stat } from "node:fs/promises";
import { isPinnedOrTagged } from "../../catalog/model/marks.ts";
import { isSession, type SessionRow } from "../../catalog/model/row.ts";
import { memoLast } from "../../shared/memo.ts";
import { join, nameFrom, projectKey } from "../../shared/paths.ts";
import { capital, formatCounted, shortenHome } from "../../ui/text/format.ts";
import type { NotedChange, SessionsKind, SessionTools } from "./sessions-kind.ts";

/** Copies sessions into another project. */
interface ForkSessions {
	readonly type: "fork";
	/** The directory of the project. Absolute. */
	readonly to: string;
	/** Set if sessions of directories below this one go to the same places below `to`. */
	readonly from?: string;
	/** Whether the originals go into the archive, so that nothing is listed twice. */
	readonly archives: boolean;
}

/** The question is the dry run: how many sessions, how large, which are left out and why. */
export const FORK_SESSIONS: SessionsKind<ForkSessions> = {
	act: "take",
	words({ to, archives }, sessions, { count, home }) {
		const place = shortenHome(to, home);
		if (!archives)
			return {
				now: `fork ${sessions} into ${place}`,
				past: `Forked ${sessions} into ${place}`,
				doing: "Forking",
			};
		const originals = originalsOf(count);
		return {
			now: `fork ${sessions} into ${place} and archive ${originals}`,
			past: `Forked ${sessions} into ${place} and archived ${originals}`,
			doing: "Forking and archiving",
		};
	},
	isComposite: true,
	async make(change, { row }, tools) {
		const { path, size } = row;
		const cwd = placeOf(row, change);
		const stats = await stat(cwd).catch(() => undefined);
		// pi could not be started in the copy.
		if (stats?.isDirectory() !== true) throw new Error(`the directory ${cwd} does not exist`);
		const copy = await tools.makeOne({ type: "fork", path, cwd });
		if (!change.archives) return copy;
		return replaceBy([copy], () => tools.makeOne({ type: "move", path, isBack: false, size }), tools);
	},
	asks: {
		always: true,
		title: ({ to }, sessions, home) => `Fork ${sessions} into ${shortenHome(to, home)}?`,
		label({ archives }, count) {
			const fork = `Fork ${formatCounted(count, "session")}`;
			return archives ? `${fork} and archive ${originalsOf(count)}` : fork;
		},
		participle: "forked",
		danger: false,
		careful: false,
		doubt: "What it writes later is not in the fork.",
		leavesOut(change, row, { rows }) {
			const project = projectKey(placeOf(row, change));
			if (!isSession(row)) return "that pi cannot open";
			if (projectKey(row.cwd) === project) return "of that directory";
			const forks = forksOf(rows).get(row.path) ?? [];
			return forks.some(({ cwd }) => projectKey(cwd) === project) ? "forked there already" : undefined;
		},
		runs: {
			go: "stay",
			note: (runs, isOneRun, isOne) =>
				`${capital(runs)} ${isOneRun ? "stays" : "stay"} with ${originalsOf(isOne ? 1 : 2)}.`,
		},
		notes({ archives }, rows, { marks }) {
			const isOne = rows.length === 1;
			const their = isOne ? "its" : "their";
			const withMarks = rows.some((row) => isPinnedOrTagged(row, marks)) ? `, with ${their} pins and tags` : "";
			const go = `${capital(originalsOf(rows.length))} ${isOne ? "goes" : "go"} into the archive`;
			const stay = isOne ? "The session itself is not changed" : "The sessions themselves are not changed";
			return [{ text: `${archives ? go : stay}${withMarks}.`, tone: "muted" }];
		},
	},
};

/** The directory of the project into which a session is copied. */
function placeOf({ cwd }: Pick<SessionRow, "cwd">, { to, from }: Pick<ForkSessions, "to" | "from">): string {
	return from === undefined ? to : join(to, nameFrom(cwd, from));
}

function originalsOf(count: number): string {
	return count === 1 ? "the original" : "the originals";
}

/** The forks of each session, by its path. */
const forksOf = memoLast((rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<string, readonly SessionRow[]> => {
	const forks = rows.values().filter(({ parentSession = "" }) => parentSession !== "");
	return Map.groupBy(forks, ({ parentSession = "" }) => parentSession);
});

/** Makes repaired copies of sessions, beside them, and moves the damaged ones to the system's trash. */
export const REPAIR_SESSIONS: SessionsKind<{ readonly type: "repair" }> = {
	act: "take",
	words: (_, sessions, { count }) => ({
		now: `repair ${sessions}`,
		past: `Repaired ${sessions}; the damaged ${count === 1 ? "original is" : "originals are"} in the trash`,
		doing: "Repairing",
	}),
	isComposite: true,
	async make(_, { row: { path, size } }, tools) {
		const count = (await tools.store.run("planRepair", path)).length;
		if (count === 0) throw new Error("there is no entry in it: no copy can be made");
		const copies: NotedChange[] = [];
		return replaceBy(
			copies,
			async () => {
				for (let index = 0; index < count; index++) copies.push(await tools.makeOne({ type: "repair", path, index }));
				return tools.makeOne({ type: "trash", path, size });
			},
			tools,
		);
	},
	asks: {
		always: true,
		label: () => "Repair",
		participle: "repaired",
		danger: false,
		careful: false,
	},
};

/** Puts the original away, for which there are copies now. If that fails, the copies do not stay either. */
async function replaceBy(
	copies: readonly NotedChange[],
	putAway: () => Promise<NotedChange>,
	{ takeBack }: SessionTools,
): Promise<NotedChange> {
	try {
		const original = await putAway();
		// Any of these that the journal could not record may not be undone.
		return [...copies, original].find(({ unnoted }) => unnoted !== undefined) ?? original;
	} catch (error) {
		for (const copy of copies) await takeBack(copy);
		throw error;
	}
}
