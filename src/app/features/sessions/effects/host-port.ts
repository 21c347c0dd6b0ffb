import type { HostChange } from "../../../world/state/choice.ts";
import type { HostNow } from "../../../world/state/host.ts";

/** The connection to the pi that started the browser. */
export interface HostPort {
	/** Has pi change the session that is open there; rejects with the reason, as a sentence, if it was not changed. */
	change(change: HostChange): Promise<void>;
	/** Calls `listener` when pi's state changes. */
	listen(listener: (now: HostNow) => void): void;
}
