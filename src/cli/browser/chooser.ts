import type { Choice } from "../../app/world/state/choice.ts";
import type { State } from "../../app/world/state/state.ts";
import type { HostLink } from "./host-link.ts";

/** Receives the choice: the shell that runs `pi-grove pick`, or the pi that started the browser. */
export interface Chooser {
	/** Set for the shell. */
	readonly picks?: State["environment"]["picks"];
	/** Set for pi. */
	readonly link?: HostLink;
	/** Called with the choice once the terminal has been restored. */
	choose(choice: Choice): Promise<void>;
	/** The exit code if the person leaves without choosing. */
	readonly leftCode: number;
}
