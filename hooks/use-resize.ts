import { useScreenSize } from "fullscreen-ink";
import { useEffect } from "react";
import type { Program } from "../src/app/program.ts";

/** Tells the program the size of the terminal. */
export function useResize(program: Program): void {
	const { width, height } = useScreenSize();
	useEffect(() => {
		program.dispatch({ type: "resize", columns: width, rows: height });
	}, [program, width, height]);
}
