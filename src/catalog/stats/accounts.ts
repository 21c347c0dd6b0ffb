import type { Spent } from "../branches/branch-tracker.ts";
import type { Usage } from "./usage.ts";

/** Numbers the pairs of model and day on which something was spent: one number per entry takes less memory. */
export class Accounts {
	readonly #all: Pick<Usage, "model" | "day">[] = [];
	readonly #numbers = new Map<string, number>();

	/** The number of a model and a day. */
	of({ model, day }: Pick<Usage, "model" | "day">): number {
		// A day contains no space.
		const name = `${day} ${model}`;
		let number = this.#numbers.get(name);
		if (number === undefined) {
			number = this.#all.length;
			this.#all.push({ model, day });
			this.#numbers.set(name, number);
		}
		return number;
	}

	/** The spending on each, by model, then by day. */
	spending(spent: ReadonlyMap<number, Spent>): Map<string, Map<string, Spent>> {
		const byModel = new Map<string, Map<string, Spent>>();
		for (const [number, one] of spent) {
			const account = this.#all[number];
			if (!account) continue;
			const days = byModel.get(account.model) ?? new Map<string, Spent>();
			byModel.set(account.model, days.set(account.day, one));
		}
		return byModel;
	}
}
