import { isNewDay } from "../../../conversation/tree/day.ts";
import { AFTER_PAUSE, CODES, type EntryColumns, settingOf } from "../../../conversation/tree/entry-columns.ts";
import { formatDayTime, formatDuration } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, lineWidth } from "../../../ui/text/width.ts";

/** Consecutive hidden entries searched for the words of a divider. */
const MAX_HIDDEN = 50;

/** A rule with words in it, `room` cells wide. */
export function drawDivider(words: Line, room: number): Line {
	const line = cutLine([span("── ", "frame"), ...words, span(" ", "frame")], room);
	return [...line, span("─".repeat(Math.max(0, room - lineWidth(line))), "frame")];
}

/** "model claude-opus-4-1 · thinking high": the settings changed by this entry and the hidden ones right above it. */
export function settingWords({ outline, kind }: EntryColumns, index: number): Line {
	let model = "";
	let thinking = "";
	let at = index;
	for (let count = 0; at !== -1 && count < MAX_HIDDEN; count++) {
		const entry = outline.session.entries[at];
		if (entry === undefined || (kind[at] ?? 0) < CODES.model) break;
		if (kind[at] === CODES.model) model ||= settingOf(entry);
		if (kind[at] === CODES["thinking-level"]) thinking ||= settingOf(entry);
		at = outline.parent[at] ?? -1;
	}
	const words = [model && `model ${sanitizeLine(model)}`, thinking && `thinking ${sanitizeLine(thinking)}`];
	return [span(words.filter((word) => word !== "").join(" · "), "summary")];
}

/** "Mon 9:29 · 9h later": the day, if an entry begins a new one, and the pause before it. */
export function timeWords({ outline, time, flags }: EntryColumns, index: number, now: number): Line {
	let at = index;
	for (let count = 0; count < MAX_HIDDEN && ((flags[at] ?? 0) & AFTER_PAUSE) === 0; count++) {
		const above = outline.parent[at] ?? -1;
		if (above === -1) break;
		at = above;
	}
	const after = time[at] ?? Number.NaN;
	const before = time[outline.parent[at] ?? -1] ?? Number.NaN;
	const day = isNewDay(before, after) ? formatDayTime(after, now) : "";
	const pause = `${formatDuration(after - before)} later`;
	return [span([day, pause].filter((word) => word !== "").join(" · "), "muted")];
}
