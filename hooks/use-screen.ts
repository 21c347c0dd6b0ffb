import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Program } from "../src/app/core/program.ts";
import { selectScreen } from "../src/app/core/screen/select-screen.ts";
import { throttle } from "../src/shared/throttle.ts";
import type { ScreenView } from "../src/ui/view.ts";

/** The current view of the screen, updated at most 60 times a second, however fast the state changes. */
export function useScreen(program: Program): ScreenView {
	const subscribe = useCallback((listener: () => void) => throttle(program.subscribe, listener), [program]);
	const state = useSyncExternalStore(subscribe, program.getState);
	return useMemo(() => selectScreen(state), [state]);
}
