import { homedir } from "node:os";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatDateTime, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine } from "../../../ui/text/width.ts";
import type { Line } from "../../../ui/view.ts";

/** What is printed above a session: its title, and below that its directory, its last activity and its id. */
export function headLines(row: SessionRow, width: number): Line[] {
	const facts = [shortenHome(row.cwd, homedir()), formatDateTime(row.modified.getTime()), row.id]
		.map((fact) => sanitizeLine(fact))
		.filter((fact) => fact !== "");
	const title: Line = [{ text: sessionTitle(row), tone: "heading", bold: true }];
	return [cutLine(title, width), cutLine([span(facts.join(" · "), "muted")], width), []];
}
