import fc from "fast-check";
import { NOW } from "../../../support/rows.ts";

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Periods of some years before now: of a moment, of minutes, of days; near each other, and far away. */
export const somePeriods = fc
	.array(
		fc.record({
			ago: fc.oneof(fc.nat(10 * MINUTE), fc.nat(YEAR / 50), fc.nat(3 * YEAR)),
			length: fc.oneof(fc.constant(0), fc.nat(5000), fc.nat(30 * MINUTE), fc.nat(YEAR / 10)),
		}),
		{ maxLength: 30 },
	)
	.map((all) => all.map(({ ago, length }) => ({ startMs: NOW - ago - length, endMs: NOW - ago })));
