import { type CleanText, cleanText, joinText, sliceText } from "./sanitize.ts";

/** The role of a piece of text; only the theme knows its color. */
export type Tone =
	/** Answers, arguments and other content. */
	| "text"
	/** Outcome, time, path: less important than text, but as easy to read. */
	| "muted"
	/** Frames, connectors, rules: not content. */
	| "frame"
	/** What has the focus. */
	| "accent"
	/** What the person said. */
	| "prompt"
	/** The verb of a step: "edit", "$". */
	| "verb"
	| "label"
	/** Summaries, compactions, changes of the model. */
	| "summary"
	/** The active path and its leaf. */
	| "current"
	/** What a search or filter found. */
	| "match"
	| "warning"
	| "error"
	/** A key in a hint. */
	| "key"
	/** Lines that a diff adds and removes, and their counts. */
	| "added"
	| "removed"
	/** In Markdown. */
	| "heading"
	| "link"
	| "code"
	/** In highlighted code. */
	| "keyword"
	| "string"
	| "comment"
	| "number"
	| "name"
	| "type";

/** The words of a line of a diff that differ from the line that it replaces, or that replaces it. */
export type WordGround = "added-words" | "removed-words";

/** The background of a text; without one, the terminal's own. */
export type Ground =
	/** The first row of the screen. */
	| "bar"
	/** A prompt's band. */
	| "prompt"
	/** A block of code, a command. */
	| "code"
	| "added"
	| "removed"
	| WordGround
	/** The row under the cursor, in the pane with the focus and in another. */
	| "cursor"
	| "cursor-beside"
	| "match";

/** A color that a program printed: one of the 256 by its number, or red, green and blue from 0 to 255. */
export type ShellColor = number | readonly [red: number, green: number, blue: number];

export interface Span {
	readonly text: CleanText;
	/** Default: "text". */
	readonly tone?: Tone;
	/** Default: the ground of the row. */
	readonly ground?: Ground;
	readonly bold?: boolean;
	readonly italic?: boolean;
	readonly underline?: boolean;
	readonly strike?: boolean;
	readonly inverse?: boolean;
	/** Overrules the tone's color: only for output of programs. */
	readonly color?: ShellColor;
	/** Overrules the ground: only for output of programs. */
	readonly background?: ShellColor;
	/** The command that a click runs: the id of a binding of its pane. */
	readonly press?: string;
	/** What a click types: a part of a query in the list of sessions, a completion in a prompt. */
	readonly types?: string;
	/** Target of a link (OSC 8): an http, https or file URL of printable ASCII only (`safeLink`). */
	readonly link?: string;
	/** In a dialog: the row that it is in is cut, where others are wrapped. */
	readonly isOneRow?: true;
	/** Whether it stands beside the text: a sign, a number, a blank that only fills. A selection leaves it out. */
	readonly isAside?: true;
	/** Of the first text of a row that goes on with the line of the row above: what stood where it was broken, a blank or nothing. */
	readonly joins?: string;
}

/** Spans that stand beside the text of their row. */
export function aside(line: Line): Line {
	return line.map((part) => ({ ...part, isAside: true }));
}

/** One row of text, at most as wide as its box. */
export type Line = readonly Span[];

/** A piece of a line; any text is cleaned. */
export function span(text: string, tone: Tone = "text"): Span {
	return { text: cleanText(text), tone };
}

export function strong(text: string, tone: Tone = "text"): Span {
	return { ...span(text, tone), bold: true };
}

/** "[repo ~/work/api ×]": something that narrows what is shown; a click, which runs the command, takes it away. */
export function chip(text: CleanText, press: string): Line {
	const part = (content: string, tone: Tone): Span => ({ ...span(content, tone), press });
	return [part("[", "frame"), part(text, "accent"), part(" ×", "muted"), part("]", "frame")];
}

/** A radio button in a title. */
export function choice(text: string, isChosen: boolean, press: string): Span {
	return { ...span(`${isChosen ? "●" : "◦"} ${text}`, isChosen ? "accent" : "muted"), press };
}

/** Spans of which a click adds a part to the query of the list. */
export function asking(part: string, line: Line): Line {
	return line.map((one) => ({ ...one, types: part }));
}

export function inRow(settings: readonly Span[], gap = "  "): Line {
	return settings.flatMap((setting, index) => (index === 0 ? [setting] : [span(gap), setting]));
}

/** Text in spans, with the ranges `[start, end)` marked as matches; each span is cleaned by itself, since cleaning moves offsets. */
export function highlight(
	text: string,
	ranges: readonly (readonly [start: number, end: number])[],
	tone: Tone = "text",
): Line {
	const spans: Span[] = [];
	let from = 0;
	for (const [start, end] of ranges) {
		spans.push(span(text.slice(from, start), tone), span(text.slice(start, end), "match"));
		from = end;
	}
	spans.push(span(text.slice(from), tone));
	return spans.filter((part) => part.text !== "");
}

/** A line with the parts that `find` names in its text, as ranges `[start, end)`, on the ground of matches. */
export function markMatches(line: Line, find: (text: string) => readonly (readonly [number, number])[]): Line {
	const ranges = find(lineText(line));
	if (ranges.length === 0) return line;
	const spans: Span[] = [];
	let at = 0;
	for (const span of line) {
		const end = at + span.text.length;
		let from = at;
		for (const [start, stop] of ranges) {
			if (stop <= from || start >= end) continue;
			if (start > from) spans.push({ ...span, text: sliceText(span.text, from - at, start - at) });
			const last = Math.min(stop, end);
			spans.push({
				...span,
				text: sliceText(span.text, Math.max(start, from) - at, last - at),
				ground: "match",
				bold: true,
			});
			from = last;
		}
		if (from < end) spans.push(from === at ? span : { ...span, text: sliceText(span.text, from - at) });
		at = end;
	}
	return spans;
}

export function lineText(line: Line): CleanText {
	return joinText(...line.map(({ text }) => text));
}
