import type { HostChange } from "../../../world/state/choice.ts";
import type { HostNow } from "../../../world/state/host.ts";

/** What the browser asks of the pi that started it. */
export interface HostPort {
	/** Has pi change the session that is open there; rejects with why it was not changed, in a sentence. */
	change(change: HostChange): Promise<void>;
	/** Calls `listener` when something of pi is otherwise. */
	listen(listener: (now: HostNow) => void): void;
}
