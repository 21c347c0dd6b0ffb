import { useMemo, useSyncExternalStore } from "react";
import type { Program } from "../src/app/program.ts";
import { selectScreen } from "../src/app/select-screen.ts";
import type { ScreenView } from "../src/app/view.ts";

/** What the screen shows at present. */
export function useScreen(program: Program): ScreenView {
	const state = useSyncExternalStore(program.subscribe, program.getState);
	return useMemo(() => selectScreen(state), [state]);
}
