import type { RememberedList } from "../../world/state/list-state.ts";
import type { Split } from "../../world/state/split.ts";
import type { SessionView } from "./memory-state.ts";

/** Effects of the memory. */
export type MemoryEffect =
	/** Store how a session was left. */
	| { readonly type: "remember-view"; readonly key: string; readonly view: SessionView }
	/** Store the positions of the dividers. */
	| { readonly type: "remember-split"; readonly split: Split }
	/** Store the settings of the list. */
	| { readonly type: "remember-list"; readonly list: RememberedList };

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly memory: MemoryEffect;
	}
}
