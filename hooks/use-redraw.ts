import { useCallback, useContext, useEffect, useReducer } from "react";
import type { Program } from "../src/app/core/program.ts";
import { TerminalContext } from "./terminal-context.ts";

/**
 * Returns a function that draws every row again, since the terminal may no longer show the last frame. It is also called for
 * the program's own command, and with each signal of a resize: a window that was made smaller and larger again has lost its
 * content, although its size is the same.
 */
export function useRedraw(program: Pick<Program, "onRedraw">): () => void {
	const frames = useContext(TerminalContext)?.frames;
	const [, draw] = useReducer((frame: number) => frame + 1, 0);
	const redraw = useCallback(() => {
		frames?.invalidate();
		draw();
	}, [frames]);
	useEffect(() => {
		process.on("SIGWINCH", redraw);
		program.onRedraw(redraw);
		return () => {
			process.off("SIGWINCH", redraw);
			program.onRedraw(undefined);
		};
	}, [program, redraw]);
	return redraw;
}
