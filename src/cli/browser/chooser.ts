import type { Choice } from "../../app/world/state/choice.ts";
import type { State } from "../../app/world/state/state.ts";
import type { HostLink } from "./host-link.ts";

/** Who waits for a choice: the shell of `pi-grove pick`, or the pi that started the browser. */
export interface Chooser {
	/** Set for the shell. */
	readonly picks?: State["environment"]["picks"];
	/** Set for pi. */
	readonly link?: HostLink;
	/** Told of the choice once the terminal is as it was. */
	choose(choice: Choice): Promise<void>;
	/** The exit code when the person leaves without a choice. */
	readonly leftCode: number;
}
