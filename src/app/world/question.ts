import type { Effect } from "./effect.ts";

/** What an effect asks the person before it goes on. Texts are not cleaned yet. */
export interface Question {
	readonly title: string;
	/** Sentences, each on rows of its own. */
	readonly body: readonly string[];
	/** The first one is highlighted. */
	readonly choices: readonly Choice[];
	/** Whether something may be lost. */
	readonly danger: boolean;
}

export interface Choice {
	readonly label: string;
	/** None: nothing is done. */
	readonly effect?: Effect;
}
