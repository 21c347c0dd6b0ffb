import { asRead } from "../../../conversation/entries/leaf.ts";
import { messageOf } from "../../../shared/attempt.ts";
import { BLAME_EFFECTS } from "../../features/blame/effects/blame-effects.ts";
import { CHANGES_EFFECTS } from "../../features/changes/effects/patch-effects.ts";
import { EXCERPTS_EFFECTS } from "../../features/excerpts/effects/excerpts-effects.ts";
import { MAINTENANCE_EFFECTS } from "../../features/maintenance/effects/maintenance-effects.ts";
import { memoryEffects, type ViewMemory } from "../../features/memory/effects/view-memory.ts";
import { ownCommandsEffects } from "../../features/own-commands/effects/own-commands-effects.ts";
import { PLACES_EFFECTS } from "../../features/places/effects/places-effects.ts";
import { PROMPTS_EFFECTS } from "../../features/prompts/effects/prompts-effects.ts";
import { REVIEW_EFFECTS } from "../../features/review/effects/review-effects.ts";
import { STANDUP_EFFECTS } from "../../features/standup/effects/standup-effects.ts";
import type { Capabilities } from "../../world/effects/capabilities.ts";
import { LatestWork, type Runners, runWith } from "../../world/effects/runners.ts";
import { SESSION_EFFECTS } from "../../world/effects/sessions/session-effects.ts";
import type { Action } from "../../world/state/action.ts";
import type { Effect } from "../../world/state/effect.ts";
import { queryNamed } from "../features/features.ts";

/** Capabilities that only the effects of single features use. */
export interface FeatureTools {
	readonly memory: ViewMemory;
}

/** The runners of all effects. It does not compile unless each effect has exactly one. */
function runnersOf({ memory }: FeatureTools): Runners<Effect["type"]> {
	return merge([
		CORE_EFFECTS,
		PLACES_EFFECTS,
		SESSION_EFFECTS,
		EXCERPTS_EFFECTS,
		CHANGES_EFFECTS,
		BLAME_EFFECTS,
		REVIEW_EFFECTS,
		PROMPTS_EFFECTS,
		MAINTENANCE_EFFECTS,
		STANDUP_EFFECTS,
		memoryEffects(memory),
		ownCommandsEffects(),
	]);
}

interface EffectRunner {
	/** Resolves to the action that reports the result, if there is anything to report. Rejects only because of a bug. */
	run(effect: Effect): Promise<Action | undefined>;
	/** Aborts long work. */
	close(): void;
}

/** `report` receives the actions that effects report before their end. */
export function createEffectRunner(
	capabilities: Capabilities,
	tools: FeatureTools,
	report: (action: Action) => void,
): EffectRunner {
	const runners = runnersOf(tools);
	/** By the type of effect, or by the query. */
	const works = new Map<string, LatestWork>();
	return {
		run(effect) {
			const isOfQuery = effect.type === "load" || effect.type === "stop-load";
			const key = isOfQuery ? `query ${effect.query}` : effect.type;
			const work = works.get(key) ?? new LatestWork();
			works.set(key, work);
			return runWith(runners, effect, { ...capabilities, report, latest: (run) => work.run(run) });
		},
		close() {
			for (const work of works.values()) work.close();
		},
	};
}

/** Merges records. It does not compile if two of them have the same key. */
function merge<const Parts extends readonly object[]>(parts: Parts & Disjoint<Parts>): Merged<Parts> {
	return Object.assign({}, ...parts);
}

type Merged<Parts> = Parts extends readonly [infer First, ...infer Rest] ? First & Merged<Rest> : unknown;

type Disjoint<Parts, Seen = never> = Parts extends readonly [infer First, ...infer Rest]
	? readonly [
			[keyof First & Seen] extends [never] ? First : { readonly twice: keyof First & Seen },
			...Disjoint<Rest, Seen | keyof First>,
		]
	: readonly [];

type CoreEffectType =
	| "load"
	| "stop-load"
	| "watch-visible"
	| "read-session"
	| "refresh-live"
	| "reach-places"
	| "refresh"
	| "stop-work"
	| "redraw"
	| "suspend"
	| "leave";

/** Effects that belong to no feature: reading the open session, and the program itself. */
const CORE_EFFECTS: Runners<CoreEffectType> = {
	load: (effect, tools) => queryNamed(effect.query).load(effect, tools),
	async "stop-load"(_, { latest }) {
		await latest(async () => undefined);
		return undefined;
	},
	"watch-visible"({ paths, watched }, { store }) {
		store.catalog.watchVisible(paths, watched);
		return undefined;
	},
	async "read-session"({ request, path, before }, { store }) {
		try {
			const session = await store.reader.read(path, before && asRead(before));
			return session && { type: "session-read", request, session };
		} catch (error) {
			return { type: "session-failed", request, message: messageOf(error) };
		}
	},
	async "refresh-live"({ path }, { store }) {
		await store.checkUse([path]);
		return undefined;
	},
	"reach-places"({ isWanted }, { store }) {
		store.places.reach(isWanted);
		return undefined;
	},
	refresh(_, { store }) {
		store.refresh();
		return undefined;
	},
	"stop-work"(_, { terminal }) {
		terminal.work.stop();
		return undefined;
	},
	redraw(_, { terminal }) {
		terminal.redraw();
		return undefined;
	},
	suspend(_, { terminal }) {
		if (terminal.suspend()) return undefined;
		return { type: "done", message: { text: "On this system no shell can take the terminal back", tone: "warning" } };
	},
	leave({ outcome }, { terminal }) {
		terminal.leave(outcome);
		return undefined;
	},
};
