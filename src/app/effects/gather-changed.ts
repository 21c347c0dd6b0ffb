/** Changes are handed to the catalog after this time, in ms: each lot of them makes a new list on the screen. */
const EVERY_MS = 250;

/** Hands the paths of sessions that were changed one after the other on in lots; `flush` hands on the last one. */
export function gatherChanged(changed: (paths: readonly string[]) => void): {
	readonly changed: (paths: readonly string[]) => void;
	readonly flush: () => void;
} {
	let paths: string[] = [];
	let since = performance.now();
	const flush = (): void => {
		if (paths.length > 0) changed(paths);
		paths = [];
		since = performance.now();
	};
	return {
		changed(more) {
			paths.push(...more);
			if (performance.now() - since >= EVERY_MS) flush();
		},
		flush,
	};
}
