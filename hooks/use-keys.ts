import { useInput, usePaste } from "ink";
import { decodeKeys } from "../src/app/keys/decode-keys.ts";
import type { Program } from "../src/app/program.ts";

/** Dispatches what is typed and pasted to the program, all keys of one input event in one action. */
export function useKeys(program: Program): void {
	useInput((input, key) => {
		const keys = decodeKeys(input, key);
		if (keys.length > 0) program.dispatch({ type: "keys", keys });
	});
	usePaste((text) => program.dispatch({ type: "text", text }));
}
