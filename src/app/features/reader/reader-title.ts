import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import { rowText } from "../../../conversation/entries/row-text.ts";
import { fieldsOf } from "../../../store/format/fields.ts";
import { timeOf } from "../../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatClock, formatDayTime } from "../../../ui/text/format.ts";
import { choice, inRow, type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { ReaderState } from "../../world/state/opened-state.ts";
import type { State } from "../../world/state/state.ts";

/** One-line name of an entry: "edit src/a.ts", "❯ Fine, stream it.", "assistant claude-sonnet-4-5". */
export function entryName(entry: SessionEntry, session: Session, home: string): Line {
	const { kind, verb, text } = describeRow(entry, session, placeOf(session, home));
	const { model } = fieldsOf(fieldsOf(entry).message);
	if (kind === "prompt") return [span("❯ ", "prompt"), { text: sanitizeLine(text), tone: "prompt" }];
	if (kind === "answer" || kind === "calls")
		return [span("assistant "), { text: sanitizeLine(rowText(model)), tone: "muted" }];
	const words = { text: sanitizeLine(text) };
	return verb === undefined ? [words] : [{ text: sanitizeLine(verb.text), tone: verb.tone }, span(" "), words];
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

interface Switch {
	readonly field: keyof Pick<ReaderState, "thinkingOpen" | "toolsOpen" | "sideBySide">;
	readonly name: string;
	/** For narrow titles. */
	readonly short: string;
	readonly command: string;
}

const SWITCHES: readonly Switch[] = [
	{ field: "thinkingOpen", name: "thinking", short: "thinking", command: "thinking" },
	{ field: "toolsOpen", name: "whole outputs", short: "tools", command: "tools" },
	{ field: "sideBySide", name: "side by side", short: "split", command: "diffs" },
];

/** All switches, on or off, the longest form first; a click changes one. */
export function readerSwitches({ reader }: State): Line[] {
	return [
		inRow(SWITCHES.map(({ field, name, command }) => choice(name, reader[field], command))),
		inRow(
			SWITCHES.map(({ field, short, command }) => choice(short, reader[field], command)),
			" ",
		),
	];
}

/** Only the switches that differ from the default. */
export function changedSwitches({ reader }: State): Line {
	const on = SWITCHES.filter(({ field }) => reader[field]);
	return inRow(on.map(({ short, command }) => choice(short, true, command)));
}
