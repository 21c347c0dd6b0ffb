import type { Line } from "../model/view.ts";

/** The rows of a text, some at a time: little is done for each part, and nothing for parts that nobody asks for. */
export type RowParts = Generator<readonly Line[], void>;

/** Rows of a part. */
export const ROWS_PER_PART = 100;
