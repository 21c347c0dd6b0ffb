import { messageOf } from "../../../shared/attempt.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import type { Action } from "../state/action.ts";
import type { Effect } from "../state/effect.ts";
import type { Capabilities } from "./capabilities.ts";

export type EffectOf<Type extends Effect["type"]> = { readonly [Each in Effect as Each["type"]]: Each }[Type];

/**
 * Runs the effects of some types. Each returns the action that reports its result, or undefined if there is nothing to
 * report. An error that one throws is a bug, unless `expectErrors` wraps it. `Needs`: what they use outside of the state.
 */
export type Runners<Type extends Effect["type"], Needs = RunTools> = {
	readonly [T in Type]: (effect: EffectOf<T>, tools: Needs) => EffectResult | Promise<EffectResult>;
};

type EffectResult = Action | undefined;

/** What a running effect has: the capabilities, and ways to report progress and to do long work. */
export interface RunTools extends Capabilities {
	/** Reports something before the end. */
	report(action: Action): void;
	/**
	 * Runs long work in slices of a few milliseconds, and ends the work of the previous effect of this type, which then resolves
	 * to undefined.
	 */
	latest<Result>(work: (slice: TimeSlice, signal: AbortSignal) => Promise<Result>): Promise<Result | undefined>;
}

export async function runWith<Type extends Effect["type"], Needs>(
	runners: Runners<Type, Needs>,
	effect: EffectOf<Type>,
	tools: Needs,
): Promise<EffectResult> {
	// The compiler does not see that the effect's type is one of these.
	return runners[effect.type as Type](effect, tools);
}

/** Wraps runners in which disks, files and other programs may fail: errors become messages. */
export function expectErrors<Type extends Effect["type"], Needs = RunTools>(
	runners: Runners<Type, Needs>,
): Runners<Type, Needs> {
	const run = async (effect: EffectOf<Type>, tools: Needs): Promise<EffectResult> => {
		try {
			return await runWith(runners, effect, tools);
		} catch (error) {
			return { type: "done", message: { text: messageOf(error), tone: "error" } };
		}
	};
	return Object.fromEntries(Object.keys(runners).map((type) => [type, run])) as unknown as Runners<Type, Needs>;
}

/** Long work whose latest run alone matters: each run ends the one before. */
export class LatestWork {
	#current: AbortController | undefined;

	/**
	 * Runs work in slices of a few milliseconds; its signal is aborted when a later run begins. Resolves to the result, or to
	 * undefined if a later run has begun.
	 */
	async run<Result>(work: (slice: TimeSlice, signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
		this.#current?.abort();
		const mine = new AbortController();
		this.#current = mine;
		try {
			return await work(new TimeSlice(mine.signal), mine.signal);
		} catch (error) {
			if (mine.signal.aborted) return undefined;
			throw error;
		} finally {
			if (this.#current === mine) this.#current = undefined;
		}
	}

	get isRunning(): boolean {
		return this.#current !== undefined;
	}

	close(): void {
		this.#current?.abort();
	}
}
