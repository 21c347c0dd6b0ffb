import type { LiveReport } from "../../catalog/model/live.ts";

/** Reads afresh what is in use, and which programs have these sessions open. */
export type CheckUse = (paths: readonly string[]) => Promise<LiveReport>;

/** The tools that are too costly to use once for each of many sessions. */
interface Tools {
	readonly checkUse: CheckUse;
	/** Has the catalog read these session files, which were changed, created or removed. */
	readonly changed: (paths: readonly string[]) => void;
	/** Has the catalog compare itself with the disk. */
	readonly refresh?: () => void;
}

/** Changes are passed to the catalog this often: each batch makes a new list on the screen. */
const BATCH_MS = 250;
/** A report of what is in use is reused for this long: reading it takes longer than changing most sessions. */
const REPORT_MS = 300;
/** At most this share of the time is spent on checking what is in use. */
const MAX_CHECKING = 1 / 10;

/**
 * The same tools, for work on many sessions one after the other. `checkUse` reports on all of `paths`, whichever it is called
 * with, and checks them only now and then, since that goes through all processes, however few the sessions. `changed` and
 * `refresh` are passed on in batches; `flush` passes on the rest.
 */
export function batched<Given extends Tools>(
	tools: Given,
	paths: readonly string[],
): { readonly tools: Given & Required<Tools>; readonly flush: () => void } {
	let report: LiveReport | undefined;
	let reportUntil = 0;
	let changedPaths: string[] = [];
	let isStale = false;
	let flushedAt = performance.now();

	async function checkUse(): Promise<LiveReport> {
		const began = performance.now();
		if (report === undefined || began >= reportUntil) {
			report = await tools.checkUse(paths);
			const now = performance.now();
			reportUntil = now + Math.max(REPORT_MS, (now - began) / MAX_CHECKING);
		}
		return report;
	}

	function passOn(): void {
		if (changedPaths.length > 0) tools.changed(changedPaths);
		changedPaths = [];
		flushedAt = performance.now();
	}

	return {
		tools: {
			...tools,
			checkUse,
			changed(more) {
				changedPaths.push(...more);
				if (performance.now() - flushedAt >= BATCH_MS) passOn();
			},
			refresh() {
				isStale = true;
			},
		},
		flush() {
			passOn();
			if (isStale) tools.refresh?.();
		},
	};
}
