import { asRead } from "../../../conversation/entries/leaf.ts";
import { messageOf } from "../../../shared/attempt.ts";
import { BRANCHES_EFFECTS } from "../../features/branches/feature.ts";
import { EXCERPTS_EFFECTS } from "../../features/excerpts/effects/excerpts-effects.ts";
import { FILES_EFFECTS } from "../../features/files/effects/files-effects.ts";
import { GLANCE_EFFECTS } from "../../features/glance/feature.ts";
import { HISTORY_EFFECTS } from "../../features/history/feature.ts";
import { LIST_EFFECTS } from "../../features/list/effects/list-effects.ts";
import { MAINTENANCE_EFFECTS } from "../../features/maintenance/effects/maintenance-effects.ts";
import { memoryEffects, type ViewMemory } from "../../features/memory/effects/view-memory.ts";
import { ownCommandsEffects } from "../../features/own-commands/effects/own-commands-effects.ts";
import { PLACES_EFFECTS } from "../../features/places/effects/places-effects.ts";
import { PROMPTS_EFFECTS } from "../../features/prompts/effects/prompts-effects.ts";
import { READER_EFFECTS } from "../../features/reader/feature.ts";
import { STATS_EFFECTS } from "../../features/statistics/feature.ts";
import { TREE_EFFECTS } from "../../features/tree/feature.ts";
import type { Capabilities } from "../../world/effects/capabilities.ts";
import { LatestWork, type Runners, runWith } from "../../world/effects/runners.ts";
import { SESSION_EFFECTS } from "../../world/effects/sessions/session-effects.ts";
import type { Action } from "../../world/state/action.ts";
import type { Effect } from "../../world/state/effect.ts";

/** Capabilities that only the effects of single features use. */
export interface FeatureTools {
	readonly memory: ViewMemory;
}

/** The runners of all effects. It does not compile unless each effect has exactly one. */
function runnersOf({ memory }: FeatureTools): Runners<Effect["type"]> {
	return merge([
		CORE_EFFECTS,
		LIST_EFFECTS,
		TREE_EFFECTS,
		READER_EFFECTS,
		BRANCHES_EFFECTS,
		FILES_EFFECTS,
		PLACES_EFFECTS,
		GLANCE_EFFECTS,
		SESSION_EFFECTS,
		EXCERPTS_EFFECTS,
		PROMPTS_EFFECTS,
		STATS_EFFECTS,
		HISTORY_EFFECTS,
		MAINTENANCE_EFFECTS,
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
	const works = new Map<Effect["type"], LatestWork>();
	return {
		run(effect) {
			const work = works.get(effect.type) ?? new LatestWork();
			works.set(effect.type, work);
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
	| "read-session"
	| "check-session"
	| "refresh-live"
	| "reach-places"
	| "refresh"
	| "stop-work"
	| "redraw"
	| "suspend"
	| "leave";

/** Effects that belong to no feature: reading the open session, and the program itself. */
const CORE_EFFECTS: Runners<CoreEffectType> = {
	async "read-session"({ request, path, before }, { store }) {
		try {
			const session = await store.reader.read(path, before && asRead(before));
			return session && { type: "session-read", request, session };
		} catch (error) {
			return { type: "session-failed", request, message: messageOf(error) };
		}
	},
	async "check-session"({ session }, { store }) {
		const isSound = await store.reader.check(asRead(session));
		return isSound === undefined ? undefined : { type: "session-checked", session, isSound };
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
