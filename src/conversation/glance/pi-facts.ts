import { type Fields, fieldsOf, listOf, numberOf } from "../../store/format/fields.ts";
import { type ModelName, modelKey, type Rates } from "./usage.ts";

/** What is looked up in pi's files for one session. */
export interface PiRequest {
	readonly cwd: string;
	readonly models: readonly ModelName[];
}

/** What pi's files and the disk say about going on with a session. */
export interface PiFacts {
	readonly hasDirectory: boolean;
	/** By `modelKey`, each of the models that were asked for. */
	readonly models: ReadonlyMap<string, KnownModel>;
}

export interface PiAnswer {
	readonly request: PiRequest | undefined;
	/** The answer to that; undefined until it is there. */
	readonly facts: PiFacts | undefined;
}

export interface KnownModel {
	/** Undefined where no list has it. */
	readonly facts: ModelFacts | undefined;
	/** Whether pi's own list of this provider was found, so that pi does not know a model that is not in it. */
	readonly isListed: boolean;
	readonly compaction: CompactionSettings;
}

/** Whether two requests have the same answer. */
export function isSameRequest(a: PiRequest | undefined, b: PiRequest): boolean {
	if (a === undefined || a.cwd !== b.cwd || a.models.length !== b.models.length) return false;
	return a.models.every((name, index) => {
		const other = b.models[index];
		return other !== undefined && modelKey(name) === modelKey(other);
	});
}

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

export interface ModelFacts {
	/** Tokens. */
	readonly contextWindow: number | undefined;
	readonly rates: Rates;
	/** What requests of more than so many tokens cost. */
	readonly tiers: readonly Tier[];
	/** How long its provider keeps a prompt: by default, and where that was asked for. */
	readonly cacheMs: { readonly short: number | undefined; readonly long: number | undefined };
}

interface Tier {
	readonly aboveTokens: number;
	readonly rates: Rates;
}

/** pi's lists of one provider's models, as JSON that may be anything; undefined where there is no such list. */
export interface ModelLists {
	/** Of pi's package: `pi-ai/dist/providers/data/<provider>.json`. */
	readonly builtIn: unknown;
	/** When that was made, Unix ms. */
	readonly builtInMs: number | undefined;
	/** What pi has fetched since: the provider's part of `<agentDir>/models-store.json`. */
	readonly fetched: unknown;
	/** The person's own: the provider's part of `<agentDir>/models.json`. */
	readonly own: unknown;
}

/** pi's window for a model of `models.json` that says nothing else (pi 1.5.2, docs/models-configuration.md). */
const OWN_WINDOW = 128_000;

/**
 * What is known of a model, by pi's own order: the person's list, then what pi has fetched, if that is newer than its
 * package, then the package; the person's `modelOverrides` over all of them. Undefined where none of them has the model.
 */
export function modelFacts({ modelId }: ModelName, { builtIn, builtInMs, fetched, own }: ModelLists) {
	const { models, modelOverrides } = fieldsOf(own);
	const model =
		withWindow(listOf(models).find((model) => fieldsOf(model).id === modelId)) ??
		(isNewer(fetched, builtInMs) ? inList(fieldsOf(fetched).models, modelId) : undefined) ??
		inGroups(builtIn, modelId) ??
		inList(fieldsOf(fetched).models, modelId);
	return model === undefined ? undefined : factsIn(model, ownField(modelOverrides, modelId));
}

function withWindow(model: unknown): Fields | undefined {
	return model === undefined ? undefined : { contextWindow: OWN_WINDOW, ...fieldsOf(model) };
}

function isNewer(fetched: unknown, builtInMs: number | undefined): boolean {
	const modified = numberOf(fieldsOf(fetched).lastModified);
	return builtInMs === undefined || (modified !== undefined && modified > builtInMs);
}

function inList(models: unknown, modelId: string): Fields | undefined {
	const model = listOf(models).find((model) => fieldsOf(model).id === modelId && isChat(model));
	return model === undefined ? undefined : fieldsOf(model);
}

/** The package has the models of a provider by their protocol. */
function inGroups(groups: unknown, modelId: string): Fields | undefined {
	for (const group of Object.values(fieldsOf(groups))) {
		const model = inList(Object.values(fieldsOf(group)), modelId);
		if (model !== undefined) return model;
	}
	return undefined;
}

function isChat(model: unknown): boolean {
	const { type } = fieldsOf(model);
	return type === undefined || type === "chat";
}

function factsIn(model: Fields, override: Fields): ModelFacts {
	const cost = { ...fieldsOf(model.cost), ...fieldsOf(override.cost) };
	const cache = { ...fieldsOf(model.promptCache), ...fieldsOf(override.promptCache) };
	return {
		contextWindow: positive(override.contextWindow) ?? positive(model.contextWindow),
		rates: ratesIn(cost),
		tiers: listOf(cost.tiers).flatMap((tier) => {
			const aboveTokens = numberOf(fieldsOf(tier).inputTokensAbove);
			return aboveTokens === undefined ? [] : [{ aboveTokens, rates: ratesIn(fieldsOf(tier)) }];
		}),
		cacheMs: { short: secondsIn(cache.short), long: secondsIn(cache.long) },
	};
}

function ratesIn(fields: Fields): Rates {
	const rates: Record<string, number> = {};
	for (const kind of ["input", "output", "cacheRead", "cacheWrite"]) {
		const rate = numberOf(fields[kind]);
		if (rate !== undefined && rate >= 0) rates[kind] = rate;
	}
	return rates;
}

/** The rates of a request of this size: those of the highest tier that it reaches. */
export function ratesFor({ rates, tiers }: ModelFacts, tokens: number): Rates {
	const reached = tiers.filter(({ aboveTokens }) => tokens > aboveTokens);
	return reached.reduce((a, b) => (b.aboveTokens > a.aboveTokens ? b : a), { aboveTokens: -1, rates }).rates;
}

function ownField(value: unknown, name: string): Fields {
	const fields = fieldsOf(value);
	return Object.hasOwn(fields, name) ? fieldsOf(fields[name]) : {};
}

function positive(value: unknown): number | undefined {
	const number = numberOf(value);
	return number !== undefined && number > 0 ? number : undefined;
}

function secondsIn(value: unknown): number | undefined {
	const seconds = positive(value);
	return seconds === undefined ? undefined : seconds * 1000;
}
