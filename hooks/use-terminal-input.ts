import { useContext, useEffect } from "react";
import type { Program } from "../src/app/core/program.ts";
import type { InputPiece } from "../src/terminal/input-splitter.ts";
import { saysFocus } from "../src/terminal/keyboard.ts";
import { decodeKeys, decodeMouse, joinTurns, type MouseEvent } from "../src/ui/keys/decode-input.ts";
import { TerminalContext } from "./terminal-context.ts";

/**
 * Dispatches what comes from the terminal, in its order: keys, pastes, the mouse. `onFocus` is called when its window gets the
 * focus: while the person was elsewhere, something else (`wall`, a job in the background) may have written on the screen.
 */
export function useTerminalInput(program: Pick<Program, "getState" | "dispatch">, onFocus: () => void): void {
	const keyboard = useContext(TerminalContext)?.keyboard;
	useEffect(() => {
		return keyboard?.listen((pieces) => {
			if (pieces.some(saysFocus)) onFocus();
			dispatchInput(program, pieces);
		});
	}, [program, keyboard, onFocus]);
}

/** Dispatches input: consecutive keys as one action, consecutive mouse events merged, each paste by itself. */
function dispatchInput(program: Pick<Program, "getState" | "dispatch">, pieces: readonly InputPiece[]): void {
	let keys: string[] = [];
	let reports: MouseEvent[] = [];
	const isBound = (key: string): boolean =>
		program.getState().environment.keymap.some(({ keys: bound }) => bound.includes(key));
	const dispatchKeys = (): void => {
		if (keys.length > 0) program.dispatch({ type: "keys", keys });
		keys = [];
	};
	const dispatchReports = (): void => {
		for (const event of joinTurns(reports)) program.dispatch({ type: "mouse", event });
		reports = [];
	};
	for (const piece of pieces) {
		if ("mouse" in piece) {
			dispatchKeys();
			reports.push(...decodeMouse(piece.mouse));
			continue;
		}
		dispatchReports();
		if ("typed" in piece) keys.push(...decodeKeys(piece.typed, isBound));
		else {
			dispatchKeys();
			program.dispatch({ type: "text", text: piece.paste });
		}
	}
	dispatchKeys();
	dispatchReports();
}
