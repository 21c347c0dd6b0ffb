import { standupMarkdown } from "../../../../conversation/share/standup.ts";
import { formatCount, formatCounted } from "../../../../ui/text/format.ts";
import { readStandup } from "../../../world/effects/read-standup.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { StandupEffect } from "../feature.ts";

export const STANDUP_EFFECTS: Runners<StandupEffect["type"]> = {
	async "read-standup"({ title, from, to, rows }, { disk: { home }, latest, report }) {
		let shownMs = performance.now();
		const onProgress = (read: number, total: number): void => {
			// What is ready at once needs no message.
			if (performance.now() - shownMs < PROGRESS_MS) return;
			shownMs = performance.now();
			const text = `Reading: ${formatCount(read)} of ${formatCounted(total, "session")} …`;
			report({ type: "done", message: { text, tone: "muted" } });
		};
		const read = await latest((slice) => readStandup(rows, { from, to }, { home, slice, onProgress }));
		if (read === undefined) return undefined;
		const failures = read.failures.map((failure) => `\n- not read: ${failure}`);
		return { type: "standup-read", title, text: [standupMarkdown(read.sessions, title, home), ...failures].join("") };
	},
};

const PROGRESS_MS = 300;
