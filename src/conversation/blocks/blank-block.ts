import { blanks } from "../../ui/text/sanitize.ts";
import type { Block } from "./piece.ts";

/** A blank row, after blocks of which any may be empty. */
export const BLANK: Block = { parts: [{ text: "", draw: () => [{ line: [{ text: blanks(0) }] }] }], gap: false };
