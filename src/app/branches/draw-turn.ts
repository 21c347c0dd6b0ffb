import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { entryKind } from "../conversation/entry-kind.ts";
import { fieldsOf } from "../conversation/fields.ts";
import type { Place } from "../conversation/place.ts";
import { contentHead, imageMark, joinWords, rowText } from "../conversation/row-text.ts";
import { type Step, stepOf } from "../conversation/step.ts";
import { stopMark } from "../conversation/stop-reason.ts";
import type { Ground, Line, Tone } from "../model/view.ts";
import { formatDuration } from "../text/format.ts";
import { type CleanText, cleanText, joinText, sanitizeLine } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { cutText, joinEnds } from "../text/width.ts";
import { wrapText } from "../text/wrap.ts";
import type { Turn } from "./turns.ts";

/** A row of a reading. */
export interface ReadRow {
	readonly line: Line;
	readonly ground?: Ground;
}

export interface TurnDrawing {
	readonly session: Session;
	readonly place: Place;
	readonly width: number;
	/** Rows of a prompt, and of an answer, at most. */
	readonly promptRows: number;
	readonly answerRows: number;
}

/** A turn in few rows: the prompt, each step with what came of it, the beginnings of the answers. */
export function* turnRows({ prompt, rest }: Turn, drawing: TurnDrawing): Generator<ReadRow, void> {
	if (prompt !== undefined) yield* promptRows(prompt, drawing);
	for (const entry of rest) yield* entryRows(entry, drawing);
}

/** A prompt as a band. */
export function promptRows(prompt: SessionEntry, { width, promptRows: most }: TurnDrawing): ReadRow[] {
	const { content } = fieldsOf(fieldsOf(prompt).message);
	const text = joinWords(imageMark(content), contentHead(content)).trim() || "(empty)";
	return firstRows(text, width - 2, most).map((row, index) => ({
		line: [{ text: joinText(cleanText(index === 0 ? "❯ " : "  "), row), tone: "prompt", bold: true }],
		ground: "prompt",
	}));
}

/** What an entry other than a prompt adds to a reading: a step in one row, the beginning of what was said, or nothing. */
export function entryRows(entry: SessionEntry, drawing: TurnDrawing): ReadRow[] {
	const step = stepOf(entry, drawing.session, drawing.place);
	if (step !== undefined) return [{ line: stepLine(step, drawing.width) }];
	const said = saidBy(entry);
	if (said === undefined) return [];
	return firstRows(said.text, drawing.width, drawing.answerRows).map((text) => ({ line: [{ text, tone: said.tone }] }));
}

function saidBy(entry: SessionEntry): { readonly text: string; readonly tone: Tone } | undefined {
	const fields = fieldsOf(entry);
	const message = fieldsOf(fields.message);
	switch (entryKind(entry)) {
		case "answer": {
			const stop = stopMark(message);
			const text = contentHead(message.content).trim() || rowText(message.errorMessage);
			return { text: joinWords(stop === undefined ? "" : `${stop.short} ·`, text), tone: stop?.tone ?? "text" };
		}
		case "compaction":
		case "branch-summary":
			return { text: `≡ ${rowText(fields.summary) || contentHead(message.content)}`, tone: "summary" };
		case "message":
			return { text: contentHead(fields.content ?? message.content), tone: "summary" };
		default:
			return undefined;
	}
}

/** A step in one row: what was done, and, at the right, what came of it and how long it took. */
function stepLine({ verb, argument, said, outcome, failed, durationMs }: Step, width: number): Line {
	const left: Line = [
		span(`  ${sanitizeLine(verb)} `, failed ? "error" : "verb"),
		span(sanitizeLine(argument)),
		span(said === "" ? "" : `  ${sanitizeLine(said)}`, "muted"),
	];
	const right = outcome.map(({ text, tone }) => span(` ${sanitizeLine(text)}`, tone));
	const took = durationMs === undefined || durationMs < 100 ? [] : [span(` ${formatDuration(durationMs)}`, "muted")];
	return joinEnds(left, [...right, ...took], width);
}

/** The first rows of a text; the last one ends with "…" where there is more. */
export function firstRows(text: string, width: number, most: number): CleanText[] {
	const rows = wrapText(sanitizeLine(text), width);
	if (rows.length <= most) return rows;
	return rows
		.slice(0, most)
		.map((row, index) => (index === most - 1 ? cutText(joinText(row, cleanText(" …")), width) : row));
}
