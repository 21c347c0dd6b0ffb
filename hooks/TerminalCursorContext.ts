import { createContext } from "react";

/** Tells the terminal where its own cursor is in the frame being drawn; undefined hides it. */
export type SetCursor = (cell: { readonly x: number; readonly y: number } | undefined) => void;

/** Without a terminal there is no cursor to set. */
export const TerminalCursor = createContext<SetCursor>(() => {});
