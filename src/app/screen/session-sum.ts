import type { SessionRow } from "../../catalog/model/row.ts";
import type { State } from "../model/state.ts";
import type { Line } from "../model/view.ts";
import { formatAge, formatCounted } from "../text/format.ts";
import { span } from "../text/span.ts";

/** What a session holds, for the header: the forms, the longest first. */
export function sessionSum({ now }: State, { messageCount, modified }: SessionRow): readonly Line[] {
	const messages = span(formatCounted(messageCount, "message"), "muted");
	return [[messages, span(` · ${formatAge(modified.getTime(), now)}`, "muted")], [messages]];
}
