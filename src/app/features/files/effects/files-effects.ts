import { loadRenderers } from "../../../../conversation/render/renderers.ts";
import { sumChange } from "../../../../edits/rebuild-file.ts";
import { gatherEdits } from "../../../../edits/session-files.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { FilesEffect } from "../feature.ts";
import type { FileSum } from "../files-state.ts";

/** Gathers the files of one session at a time, and sums up the edits of one file at a time. */
export const FILES_EFFECTS: Runners<FilesEffect["type"]> = {
	async "gather-files"({ session, home }, { latest }) {
		const found = await latest((slice) => slice.run(gatherEdits(session, home)));
		return found && { type: "files-gathered", session, found };
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
