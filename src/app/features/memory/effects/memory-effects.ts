import type { Runners } from "../../../world/effects/runners.ts";
import type { MemoryEffect } from "../memory-state.ts";
import type { ViewMemory } from "./view-memory.ts";

/** Stores what is remembered from one run to the next. */
export function memoryEffects(memory: ViewMemory): Runners<MemoryEffect["type"]> {
	return {
		"remember-view"({ key, view }) {
			memory.noteView(key, view);
			return undefined;
		},
		"remember-list"({ list }) {
			memory.noteList(list);
			return undefined;
		},
		"remember-split"({ split }) {
			memory.noteSplit(split);
			return undefined;
		},
	};
}
