import { createContext } from "react";
import type { FrameStream } from "../src/terminal/frame-stream.ts";
import type { Keyboard } from "../src/terminal/keyboard.ts";

/** The terminal that the screen is drawn on, for the hooks; without one, a screen is drawn that nobody can type in. */
export const TerminalContext = createContext<
	| {
			readonly output: NodeJS.WriteStream;
			readonly keyboard: Pick<Keyboard, "listen">;
			readonly frames: Pick<FrameStream, "setCursor" | "invalidate">;
	  }
	| undefined
>(undefined);
