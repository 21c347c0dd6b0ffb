import type { Since } from "../../store/actions/session-history.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { type Outlook, refuse } from "./kind.ts";

/** Whether something has been said in a session since a change. */
export function hasGoneOn({ messages, others }: Since): boolean {
	return messages + others > 0;
}

/** Why the change is not undone then. */
export function refuseGoneOn({ messages, others }: Since): Outlook {
	const count = messages > 0 ? formatCounted(messages, "message") : others === 1 ? "1 entry" : `${others} entries`;
	return refuse(`the session has been gone on with: ${count} since, which would be lost`);
}
