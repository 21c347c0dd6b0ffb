import { fieldsOf, numberOf } from "../entries/fields.ts";
import { type ModelName, modelKey } from "./usage.ts";

/** When pi compacts by itself. */
export interface CompactionSettings {
	readonly enabled: boolean;
	/** Tokens that stay free: with fewer, pi compacts before the next turn. */
	readonly reserveTokens: number;
}

/** pi's defaults (pi 1.5.2, docs/settings.md). */
const DEFAULTS: CompactionSettings = { enabled: true, reserveTokens: 16_384 };

/**
 * What pi's settings say for a model; `settings`: the contents of its settings files, the project's before the person's.
 * A value for the model counts before one for all, in whichever file it stands.
 */
export function compactionSettings(settings: readonly unknown[], model: ModelName | undefined): CompactionSettings {
	const all = settings.map((file) => fieldsOf(fieldsOf(file).compaction));
	const ofModel = all.map(({ modelOverrides }) =>
		model === undefined ? {} : fieldsOf(fieldsOf(modelOverrides)[modelKey(model)]),
	);
	const enabled = all.map((file) => file.enabled).find((value) => typeof value === "boolean");
	const reserve = [...ofModel, ...all].map((file) => numberOf(file.reserveTokens)).find((value) => value !== undefined);
	return { enabled: enabled ?? DEFAULTS.enabled, reserveTokens: reserve ?? DEFAULTS.reserveTokens };
}
