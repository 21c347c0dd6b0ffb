import { dirname, join } from "node:path";
import type { SessionRoots } from "../../../../catalog/model/session-roots.ts";
import { isThere } from "../../../../store/files/is-there.ts";
import { resolvePath } from "../../../../store/files/paths.ts";
import { formatCounted, shortenHome } from "../../../../ui/text/format.ts";
import { quote } from "../../../../ui/text/quote.ts";
import { eachSession, tellOutcome } from "../../../changes/each-session.ts";
import type { StoreClient } from "../../../changes/store-client.ts";
import type { LongWork } from "../../../core/effects/long-work.ts";
import { isSessionPath } from "../../../journal/check-undo.ts";
import type { Action } from "../../../world/action.ts";
import type { Effect, NamedSession } from "../../../world/effect.ts";
import { dayOf, MOST_NAMES, numbered } from "../../../world/effects/numbered-name.ts";
import type { DoctorCopy } from "../doctor-state.ts";
import { copiesSum } from "../doctor-words.ts";

interface Tools {
	/** Only reads. */
	readonly lookingStore: StoreClient;
	readonly store: StoreClient;
	readonly work: LongWork;
	/** The directory in which the program was started: where files are saved. */
	readonly cwd: string;
	readonly home: string;
	readonly sessionRoots: SessionRoots;
	/** Has the catalog read these files, which were created. */
	readonly changed: (paths: readonly string[]) => void;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

type Planned = Extract<Effect, { type: "plan-repair" }>;
type Repaired = Extract<Effect, { type: "repair" }>;

const nameOf = ({ title }: NamedSession): string => quote(title);

/** Finds out what repaired copies of these sessions would have; nothing is written. Rejects never. */
export async function planRepairs({ sessions }: Planned, tools: Tools): Promise<Action> {
	const one = async ({ path }: NamedSession): Promise<readonly [string, readonly DoctorCopy[]]> => [
		path,
		await tools.lookingStore.run("planRepair", path),
	];
	const outcome = await eachSession(sessions, "Planning repaired copies", { nameOf, one }, tools.work);
	if (outcome.left > 0 || outcome.done.length === 0) {
		const told = { changed: 0, done: "Nothing was written", left: "were not looked at" };
		return { type: "done", message: tellOutcome(outcome, told) };
	}
	return { type: "repair-planned", copies: new Map(outcome.done), directory: await newDirectory(tools) };
}

/** A name for a directory that is not there: "pi-repaired-2026-11-22" where files are saved. */
async function newDirectory({ cwd, clock }: Tools): Promise<string> {
	const name = join(cwd, `pi-repaired-${dayOf(new Date(clock()))}`);
	for (let number = 1; number < MOST_NAMES; number++) {
		const path = numbered(name, number);
		// What cannot be looked at is told when it is written to.
		if (!(await isThere(path).catch(() => false))) return path;
	}
	return name;
}

/**
 * Writes repaired copies of these sessions into a directory, which is made if need be: each is whole before it has its name,
 * and none takes a name that is taken. The sessions are only read. As what is saved, copies are not undone. Rejects never.
 */
export async function repairAll({ sessions, directory: typed }: Repaired, tools: Tools): Promise<Action> {
	const { store, work, cwd, home, sessionRoots, changed } = tools;
	const directory = resolvePath(typed, cwd, home);
	const one = async ({ path }: NamedSession): Promise<readonly [string, readonly DoctorCopy[]]> => [
		path,
		await store.run("repairSession", path, directory),
	];
	const outcome = await eachSession(sessions, "Writing repaired copies", { nameOf, one }, work);
	const copies = outcome.done.flatMap(([, each]) => each);
	const listed = copies.flatMap(({ path }) => (path !== undefined && isSessionPath(path, sessionRoots) ? [path] : []));
	if (listed.length > 0) changed(listed);
	const of = formatCounted(outcome.done.filter(([, each]) => each.length > 0).length, "session");
	const where = shortenHome(copies[0]?.path === undefined ? directory : dirname(copies[0].path), home);
	const done =
		copies.length === 0
			? "No copy was written"
			: `Repaired ${of} into ${where}, ${copiesSum(copies)}; the ${sessions.length === 1 ? "original stays as it is" : "originals stay as they are"}`;
	const message = tellOutcome(outcome, { changed: copies.length, done, left: "have none" });
	return { type: "repaired", copies: new Map(outcome.done), message };
}
