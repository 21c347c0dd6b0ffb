import type { Fault } from "./measure.ts";

/** The promises that the engine does not keep yet. */
export const STILL_WRONG: ReadonlySet<Fault["kind"]> = new Set<Fault["kind"]>([]);
