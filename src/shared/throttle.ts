/** Least time between two frames, in ms. */
const FRAME_MS = 1000 / 60;

/**
 * Subscribes a listener that is called at once after a rest, and then at most once a frame, the last change included.
 * Returns the end of it.
 */
export function throttle(subscribe: (listener: () => void) => () => void, listener: () => void): () => void {
	let called = Number.NEGATIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	const call = (): void => {
		timer = undefined;
		called = performance.now();
		listener();
	};
	const unsubscribe = subscribe(() => {
		if (timer !== undefined) return;
		const wait = called + FRAME_MS - performance.now();
		if (wait <= 0) call();
		else timer = setTimeout(call, wait);
	});
	return () => {
		unsubscribe();
		clearTimeout(timer);
	};
}
