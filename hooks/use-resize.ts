import { useScreenSize } from "fullscreen-ink";
import { useEffect } from "react";
import type { Program } from "../src/app/program.ts";

/**
 * Tells the program the size of the terminal. The component that calls this is drawn again after each change, which
 * puts the cursor back: Ink forgets it when it clears a frame that has become too wide.
 */
export function useResize(program: Program): void {
	const { width, height } = useScreenSize();
	useEffect(() => {
		program.dispatch({ type: "resize", columns: width, rows: height });
	}, [program, width, height]);
}
