import type { Program } from "../../app/core/program.ts";
import type { InputPiece } from "../../terminal/input-splitter.ts";
import { decodeKeys } from "../../ui/keys/decode-keys.ts";
import { decodeMouse, joinTurns, type MouseEvent } from "../../ui/keys/decode-mouse.ts";

/** Dispatches input: consecutive keys as one action, consecutive mouse events merged, each paste by itself. */
export function dispatchInput(program: Program, pieces: readonly InputPiece[]): void {
	let keys: string[] = [];
	let reports: MouseEvent[] = [];
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
		if ("typed" in piece) keys.push(...decodeKeys(piece.typed));
		else {
			dispatchKeys();
			program.dispatch({ type: "text", text: piece.paste });
		}
	}
	dispatchKeys();
	dispatchReports();
}
