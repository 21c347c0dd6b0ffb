/** Changes are handed to the catalog after this time, in ms: each lot of them makes a new list on the screen. */
const EVERY_MS = 250;

/** What hears of changed sessions. */
interface Hearing {
	/** Has the catalog read these session files, which were changed, created or removed. */
	readonly changed: (paths: readonly string[]) => void;
	/** Has the catalog compare itself with the disk. */
	readonly refresh?: () => void;
}

/**
 * Hands on in lots which sessions were changed one after the other, and once that the disk is to be compared; `flush` hands
 * on the last of it.
 */
export function gatherChanges(hearing: Hearing): Required<Hearing> & { readonly flush: () => void } {
	let paths: string[] = [];
	let isStale = false;
	let since = performance.now();
	const handOn = (): void => {
		if (paths.length > 0) hearing.changed(paths);
		paths = [];
		since = performance.now();
	};
	return {
		changed(more) {
			paths.push(...more);
			if (performance.now() - since >= EVERY_MS) handOn();
		},
		refresh() {
			isStale = true;
		},
		flush() {
			handOn();
			if (isStale) hearing.refresh?.();
		},
	};
}
