import type { CompactionSettings } from "./compaction-settings.ts";
import type { ModelFacts } from "./model-facts.ts";
import { type ModelName, modelKey } from "./usage.ts";

/** What is looked up in pi's files for one session. */
export interface PiRequest {
	/** The session's directory. */
	readonly cwd: string;
	/** The models that are named in the session. */
	readonly models: readonly ModelName[];
}

/** What pi's files, and the disk, tell about going on with a session. */
export interface PiFacts {
	/** Whether the session's directory is there. */
	readonly hasDirectory: boolean;
	/** By `modelKey`, each of the models that were asked for. */
	readonly models: ReadonlyMap<string, KnownModel>;
}

/** What was looked up last. */
export interface PiAnswer {
	readonly request: PiRequest | undefined;
	/** The answer to that; undefined until it is there. */
	readonly facts: PiFacts | undefined;
}

/** What is known of one model. */
export interface KnownModel {
	/** Undefined where no list has it. */
	readonly facts: ModelFacts | undefined;
	/** Whether pi's own list of this provider was found, so that a model that is not in it is none of pi's. */
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
