import { createContext } from "react";
import type { Cell } from "../src/ui/view.ts";

/** Sets the cell of the terminal's own cursor in the frame being drawn; undefined hides it. */
export type SetCursor = (cell: Cell | undefined) => void;

/** Without a terminal there is no cursor to set. */
export const TerminalCursor = createContext<SetCursor>(() => {});
