import { messageOf } from "../../../../changes/reason.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import type { TimelineEffect } from "../feature.ts";
import type { TurnsRead } from "../timeline-state.ts";
import { readTurns } from "./read-turns.ts";

/** How often progress is reported, in ms. */
const PROGRESS_MS = 200;

/** Reads the turns of some sessions; a later request ends the reading. */
export const TIMELINE_EFFECTS: Runners<TimelineEffect["type"]> = {
	async "read-turns"({ sessions, request }, { store, latest, report }) {
		const bytes = sessions.reduce((sum, { size, before }) => sum + size - (before?.end ?? 0), 0);
		let [read, reportedAt] = [0, performance.now()];
		const onRead = (length: number): void => {
			read += length;
			if (performance.now() - reportedAt < PROGRESS_MS) return;
			reportedAt = performance.now();
			report({ type: "turns-progress", request, part: Math.min(1, read / Math.max(1, bytes)) });
		};
		const found = await latest(async (slice, signal) => {
			const all = new Map<string, TurnsRead>();
			for (const { path, size, createdMs, before } of sessions) {
				try {
					const file = await readTurns(await store.places.fileOf(path, signal), {
						slice,
						signal,
						before,
						createdMs,
						onRead,
					});
					all.set(path, { size, file });
				} catch (error) {
					signal.throwIfAborted();
					all.set(path, { size, why: messageOf(error) });
				}
			}
			return all;
		});
		return found && { type: "turns-read", request, found };
	},
};
