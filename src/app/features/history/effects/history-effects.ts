import { messageOf } from "../../../../changes/reason.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { HistoryEffect } from "../feature.ts";

/** Effects of the page of all changes. */
export const HISTORY_EFFECTS: Runners<HistoryEffect["type"]> = {
	async "read-history"({ request, wanted }, { journal }) {
		const read = await journal.history.read(wanted).catch((error: unknown) => ({ error: messageOf(error) }));
		return { type: "history-read", request, read };
	},
	async "check-history"({ ids }, { journal }) {
		return { type: "history-checked", ids, outlooks: await journal.outlooksOf(ids) };
	},
};
