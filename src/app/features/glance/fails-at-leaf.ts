import type { Session } from "../../../store/read/read-session.ts";
import { failureIn } from "./can-resume.ts";
import { leafOutlook } from "./outlook.ts";

/** Whether a session is known to have a leaf from which pi cannot go on. */
export function failsAtLeaf(session: Session): boolean {
	return failureIn(leafOutlook(session)?.reasons ?? []) !== undefined;
}
