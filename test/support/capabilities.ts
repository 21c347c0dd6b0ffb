import type { Capabilities } from "../../src/app/world/effects/capabilities.ts";
import { type ChangesEngine, createChanges } from "../../src/changes/engine/changes.ts";
import type { ChangesTools } from "../../src/changes/engine/tools.ts";

/** Capabilities of which only these parts are there: what an effect does not use may be missing. */
export function someCapabilities(
	parts: {
		readonly [Name in keyof Capabilities]?: Partial<Capabilities[Name]>;
	},
): Capabilities {
	return parts as Capabilities;
}

/** Changes that have only these tools: what a change does not use may be missing. */
export function changesWith(tools: Partial<ChangesTools>): ChangesEngine {
	return createChanges(tools as ChangesTools);
}
