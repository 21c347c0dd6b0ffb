import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Program } from "../src/app/program.ts";
import { selectScreen } from "../src/app/select-screen.ts";
import type { ScreenView } from "../src/app/view.ts";
import { pace } from "./pace.ts";

/** What the screen shows at present; drawn at most 60 times a second, however fast the state changes. */
export function useScreen(program: Program): ScreenView {
	const subscribe = useCallback((listener: () => void) => pace(program.subscribe, listener), [program]);
	const state = useSyncExternalStore(subscribe, program.getState);
	return useMemo(() => selectScreen(state), [state]);
}
