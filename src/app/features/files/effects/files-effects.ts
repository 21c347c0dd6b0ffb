import { PlaceError } from "../../../../catalog/places/place.ts";
import type { DiffLine } from "../../../../conversation/render/diff-lines.ts";
import { loadRenderers } from "../../../../conversation/render/renderers.ts";
import { sessionChanges } from "../../../../edits/session-changes.ts";
import { type EditedFile, gatherEdits, type SessionEdits, withRuns } from "../../../../edits/session-files.ts";
import { StoreError } from "../../../../store/files/store-error.ts";
import { readHeld } from "../../../../store/held/hold-session.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import type { Store } from "../../../world/effects/capabilities.ts";
import type { LoadTools } from "../../../world/effects/define-query.ts";

/** A session, and the paths of the runs of subagents below it. */
export interface SessionWithRuns {
	readonly session: Session;
	readonly runs: readonly string[];
}

/** The edits gathered from a session, as of the time of the request. */
export interface GatheredEdits {
	readonly edits: SessionEdits;
	/** Number of runs that could not be read. */
	readonly unread: number;
	/** False while the runs are being read. */
	readonly isWhole: boolean;
}

/** Gathers the edits of a session and of the runs below it; those of the session itself are reported first. */
export async function gatherFiles(
	{ session, runs }: SessionWithRuns,
	{ store, disk, slice, signal, report }: LoadTools<GatheredEdits>,
): Promise<GatheredEdits> {
	const ownEdits = await slice.run(gatherEdits(session, disk.home));
	if (runs.length > 0) report({ edits: ownEdits, unread: 0, isWhole: false });
	const below: SessionEdits[] = [];
	let unread = 0;
	for (const path of runs) {
		const run = await readRun(path, store, signal);
		if (run === undefined) unread += 1;
		else below.push(await slice.run(gatherEdits(run, disk.home)));
	}
	return { edits: withRuns(ownEdits, below), unread, isWhole: true };
}

/** The diff of all edits of a file together; without `lines` it cannot be had. */
export interface FileSum {
	readonly lines?: readonly DiffLine[];
	/** Why it may not be all, or cannot be had; "" if it is exact. */
	readonly why: string;
}

export async function sumFile(
	session: Session,
	file: EditedFile,
	{ disk, slice }: Pick<LoadTools<never>, "disk" | "slice">,
): Promise<FileSum> {
	const span = { to: file.edits.at(-1)?.entryId ?? "" };
	const options = { home: disk.home, paths: new Set([file.path]) };
	const [change] = (await slice.run(sessionChanges(session, span, options))).files;
	if (change === undefined || change.answer === "edits") return { why: change?.why ?? "" };
	const { wholeDiff } = await loadRenderers();
	const lines = wholeDiff(change.before ?? "", change.after ?? "");
	return lines === undefined ? { why: "too much of it differs" } : { lines, why: change.why };
}

/** The session of a run; undefined where it cannot be read. */
async function readRun(path: string, { places }: Store, signal: AbortSignal): Promise<Session | undefined> {
	try {
		const session = await readHeld(await places.fileOf(path, signal), { signal });
		return { ...session, path };
	} catch (error) {
		if (!(error instanceof StoreError || error instanceof PlaceError)) throw error;
		return undefined;
	}
}
