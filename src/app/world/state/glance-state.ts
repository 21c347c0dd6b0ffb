import type { PiAnswer } from "../../../conversation/glance/pi-facts.ts";
import type { Session } from "../../../store/read/read-session.ts";

/** What is known for the session at a glance, besides the session itself. */
export interface GlanceState extends PiAnswer {
	/** The large session that is being counted outside of `update`. */
	readonly counting: Session | undefined;
}
