import { messageOf } from "../../../changes/reason.ts";
import type { TimeSlice } from "../../../shared/time-slice.ts";
import type { Action } from "../state/action.ts";
import type { Effect } from "../state/effect.ts";
import type { Capabilities } from "./capabilities.ts";

/** The effect of a type. */
export type EffectOf<Type extends Effect["type"]> = { readonly [Each in Effect as Each["type"]]: Each }[Type];

/**
 * Runs the effects of some types. Each answers with the action that reports its result, or with undefined where there is
 * nothing to report. What one throws is a bug, unless it is among those that `expectErrors` wraps. `Needs`: what they use
 * of the world outside.
 */
export type Runners<Type extends Effect["type"], Needs = RunTools> = {
	readonly [T in Type]: (effect: EffectOf<T>, tools: Needs) => Answer | Promise<Answer>;
};

type Answer = Action | undefined;

/** What a running effect has: the capabilities, and how it works and reports before its end. */
export interface RunTools extends Capabilities {
	/** Reports what there is before the end. */
	report(action: Action): void;
	/**
	 * Runs long work in slices of a few milliseconds, and ends that of the effect of this type before it, which resolves to
	 * undefined then.
	 */
	latest<Result>(work: (slice: TimeSlice, signal: AbortSignal) => Promise<Result>): Promise<Result | undefined>;
}

/** Runs an effect by what its type names. */
export async function runWith<Type extends Effect["type"], Needs>(
	runners: Runners<Type, Needs>,
	effect: EffectOf<Type>,
	tools: Needs,
): Promise<Answer> {
	// The compiler does not see that the type of such an effect is one of these.
	return runners[effect.type as Type](effect, tools);
}

/** The same for effects in which disks, files and other programs may fail: their errors become messages. */
export function expectErrors<Type extends Effect["type"], Needs = RunTools>(
	runners: Runners<Type, Needs>,
): Runners<Type, Needs> {
	const run = async (effect: EffectOf<Type>, tools: Needs): Promise<Answer> => {
		try {
			return await runWith(runners, effect, tools);
		} catch (error) {
			return { type: "done", message: { text: messageOf(error), tone: "error" } };
		}
	};
	return Object.fromEntries(Object.keys(runners).map((type) => [type, run])) as unknown as Runners<Type, Needs>;
}
