import { fieldsOf } from "../../../conversation/entries/fields.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { rowText } from "../../../conversation/entries/row-text.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { timeOf } from "../../../store/format/time.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatClock, formatDayTime } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";

/** One-line name of an entry: "edit src/a.ts", "❯ Fine, stream it.", "assistant claude-sonnet-4-5". */
export function entryName(entry: SessionEntry, session: Session, home: string): Line {
	const { kind, verb, text } = describeRow(entry, session, placeOf(session, home));
	const { model } = fieldsOf(fieldsOf(entry).message);
	if (kind === "prompt") return [span("❯ ", "prompt"), { text: sanitizeLine(text), tone: "prompt" }];
	if (kind === "answer" || kind === "calls")
		return [span("assistant "), { text: sanitizeLine(rowText(model)), tone: "muted" }];
	const said = { text: sanitizeLine(text) };
	return verb === undefined ? [said] : [{ text: sanitizeLine(verb.text), tone: verb.tone }, span(" "), said];
}

/** Time and id of an entry, the longest form first. */
export function entryFacts({ id, timestamp }: SessionEntry, now: number): readonly Line[] {
	const time = timeOf(timestamp);
	const clock = formatClock(time);
	const short = sanitizeLine(rowText(id));
	return [
		[span([formatDayTime(time, now), short].filter(Boolean).join(" · "), "muted")],
		[span([clock, short].filter(Boolean).join(" · "), "muted")],
		[span(clock, "muted")],
	];
}
