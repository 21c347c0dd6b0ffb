import type { Session } from "../../../store/read/read-session.ts";
import type { PiFacts, PiRequest } from "./pi-facts.ts";

/** What is known for the session at a glance, besides the session itself. */
export interface GlanceState {
	/** The large session that is being counted outside of `update`. */
	readonly counting: Session | undefined;
	/** What was asked last of pi's files. */
	readonly asked: PiRequest | undefined;
	/** The answer to that; undefined until it is there. */
	readonly facts: PiFacts | undefined;
}
