import type { RememberedList } from "../../world/state/list-settings.ts";
import type { Split } from "../../world/state/split.ts";
import type { SessionView } from "./memory-state.ts";

/** What it wants done outside. */
export type MemoryEffect =
	/** Remember how a session was left. */
	| { readonly type: "remember-view"; readonly key: string; readonly view: SessionView }
	/** Remember where the dividers are. */
	| { readonly type: "remember-split"; readonly split: Split }
	/** Remember how the person wants the list. */
	| { readonly type: "remember-list"; readonly list: RememberedList };

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly memory: MemoryEffect;
	}
}
