import { homedir } from "node:os";
import { sessionTitle } from "../app/list/draw-row.ts";
import type { Line } from "../app/model/view.ts";
import { formatDateTime, shortenHome } from "../app/text/format.ts";
import { sanitizeLine } from "../app/text/sanitize.ts";
import { span } from "../app/text/span.ts";
import { cutLine } from "../app/text/width.ts";
import type { SessionRow } from "../catalog/model/row.ts";

/** What is printed above a session: its title, and below that its directory, its last activity and its id. */
export function headLines(row: SessionRow, width: number): Line[] {
	const facts = [shortenHome(row.cwd, homedir()), formatDateTime(row.modified.getTime()), row.id]
		.map((fact) => sanitizeLine(fact))
		.filter((fact) => fact !== "");
	const title: Line = [{ text: sessionTitle(row), tone: "heading", bold: true }];
	return [cutLine(title, width), cutLine([span(facts.join(" · "), "muted")], width), []];
}
