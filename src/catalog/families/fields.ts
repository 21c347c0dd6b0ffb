import { z } from "zod";
import { isObject } from "../../shared/json.ts";
import { timeOf } from "../../store/format/raw-entry.ts";

/** Fields of what other programs have written: a wrong value is as a missing one, and never an error. */

/** Longest text that is kept of what a run was asked, or why it failed: a line of it is shown. */
const LONGEST = 1000;

export const text = z.string().min(1).optional().catch(undefined);
export const longText = z
	.string()
	.min(1)
	.transform((long) => long.slice(0, LONGEST))
	.optional()
	.catch(undefined);
/** More than any count, sum of dollars or duration, so that a sum of many is still a number. */
const MOST = 1e15;
export const amount = z.number().nonnegative().max(MOST).optional().catch(undefined);
export const position = z.int().nonnegative().optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);
/** ISO text or Unix milliseconds, as Unix milliseconds. */
export const time = z
	.union([z.string(), z.number()])
	.transform((value) => {
		const ms = timeOf(value);
		return Number.isNaN(ms) ? undefined : ms;
	})
	.optional()
	.catch(undefined);

/** An object, as whatever of it can be used; undefined for anything else. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.object(shape).optional().catch(undefined);
}

/** A list of objects; what is none is left out. */
export function objects<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.preprocess((value) => (Array.isArray(value) ? value.filter(isObject) : []), z.array(z.object(shape)));
}
