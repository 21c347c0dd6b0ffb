import { PlaceError } from "../../../../catalog/places/place.ts";
import { loadRenderers } from "../../../../conversation/render/renderers.ts";
import { sumChange } from "../../../../edits/rebuild-file.ts";
import { gatherEdits, type SessionEdits, withRuns } from "../../../../edits/session-files.ts";
import { StoreError } from "../../../../store/files/store-error.ts";
import { readHeld } from "../../../../store/held/hold-session.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import type { Store } from "../../../world/effects/capabilities.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { FilesEffect } from "../feature.ts";
import type { FileSum, GatheredFiles } from "../files-state.ts";

/** Gathers the files of one session at a time, and sums up the edits of one file at a time. */
export const FILES_EFFECTS: Runners<FilesEffect["type"]> = {
	async "gather-files"({ session, runs, home }, { store, latest, report }) {
		const gathered = await latest(async (slice, signal): Promise<GatheredFiles> => {
			const own = await slice.run(gatherEdits(session, home));
			if (runs.length > 0) report({ type: "files-gathered", session, runs, unread: 0, isWhole: false, found: own });
			const below: SessionEdits[] = [];
			let unread = 0;
			for (const path of runs) {
				const run = await readRun(path, store, signal);
				if (run === undefined) unread += 1;
				else below.push(await slice.run(gatherEdits(run, home)));
			}
			return { session, runs, unread, isWhole: true, found: withRuns(own, below) };
		});
		return gathered && { type: "files-gathered", ...gathered };
	},
	async "sum-file"({ session, file, home }, { latest }) {
		const sum = await latest(async (slice): Promise<FileSum> => {
			const change = await slice.run(sumChange(session, file, home));
			if ("why" in change) return change;
			const { wholeDiff } = await loadRenderers();
			const lines = wholeDiff(change.before, change.after);
			return lines === undefined ? { why: "too much of it differs" } : { lines, why: change.doubt };
		});
		return sum && { type: "file-summed", session, path: file.path, sum };
	},
};

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
