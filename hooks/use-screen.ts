import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Program } from "../src/app/core/program.ts";
import { selectScreen } from "../src/app/core/screen/select-screen.ts";
import type { ScreenView } from "../src/ui/view.ts";

/** The current view of the screen, updated at most 60 times a second, however fast the state changes. */
export function useScreen(program: Program): ScreenView {
	const subscribe = useCallback((listener: () => void) => throttle(program.subscribe, listener), [program]);
	const state = useSyncExternalStore(subscribe, program.getState);
	return useMemo(() => selectScreen(state), [state]);
}

const FRAME_MS = 1000 / 60;

/**
 * Subscribes a listener that is called at most once a frame: immediately if there was no call within the last frame, else
 * at the end of that frame, so that the last change is never missed. Returns an unsubscribe function.
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
