/** A step of a run that began or ended, in the order in which it happened. */
export interface RunStep {
	readonly key: string;
	/** How long it took; undefined for its beginning. */
	readonly durationMs?: number;
}

interface RunSpan {
	readonly startedMs: number;
	readonly endedMs: number;
}

/**
 * When each run worked, from what the packages keep: the order of beginnings and ends, how long each took, and when the
 * last one was over. A run begins when the one before it in the list has begun or ended.
 */
export function spansOf(steps: readonly RunStep[], endMs: number | undefined): ReadonlyMap<string, RunSpan> {
	const begun = new Map<string, number>();
	const spans = new Map<string, RunSpan>();
	let now = 0;
	for (const { key, durationMs } of steps) {
		if (durationMs === undefined) begun.set(key, now);
		else {
			const startedMs = begun.get(key) ?? now;
			const endedMs = startedMs + durationMs;
			now = Math.max(now, endedMs);
			spans.set(key, { startedMs, endedMs });
		}
	}
	if (endMs === undefined) return new Map();
	const offset = endMs - now;
	for (const [key, { startedMs, endedMs }] of spans)
		spans.set(key, { startedMs: startedMs + offset, endedMs: endedMs + offset });
	return spans;
}
