import type { Term } from "../../catalog/query/parse-query.ts";
import type { Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { inner, layoutFor } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import type { Tone } from "../model/view.ts";
import { blanks, type CleanText, sanitizeLine } from "../text/sanitize.ts";
import { cutText } from "../text/width.ts";
import { wrapInParts, wrapText } from "../text/wrap.ts";
import { entryHeading, entrySections } from "./entry-sections.ts";
import { selectedEntry, shownSession } from "./select-tree.ts";

/** One row of the text under the tree. */
export interface EntryTextRow {
	readonly text: CleanText;
	readonly tone: Tone;
	readonly bold: boolean;
}

/** Parts of a text that are laid out between two frames; most entries have fewer. */
const PARTS_PER_FRAME = 8;

/**
 * The full text of an entry in rows of `width` cells. An entry may hold any amount of text, so it is laid out from its
 * start on, as far as is wanted, and never more at a time than fits between two frames; the "lay-out" effect does the rest.
 */
export class EntryLayout {
	readonly #rows: EntryTextRow[] = [];
	readonly #parts: Generator<EntryTextRow[], void>;
	#isComplete = false;

	constructor(entry: SessionEntry, session: Session, home: string, width: number) {
		this.#parts = partsOf(entry, session, home, width);
		this.layOut(Number.POSITIVE_INFINITY);
	}

	/** The rows that are laid out, from the first. */
	get rows(): readonly EntryTextRow[] {
		return this.#rows;
	}

	/** Whether these are all. */
	get isComplete(): boolean {
		return this.#isComplete;
	}

	/** Lays out at least so many rows, if there are and no more than one frame's work is needed for them. */
	layOut(count: number): void {
		for (let parts = 0; parts < PARTS_PER_FRAME && this.#rows.length < count && !this.#isComplete; parts++)
			this.#next();
	}

	/** Lays out the rest. */
	*steps(): Steps<void> {
		while (!this.#isComplete) {
			this.#next();
			yield;
		}
	}

	#next(): void {
		const part = this.#parts.next();
		if (part.done) this.#isComplete = true;
		else for (const row of part.value) this.#rows.push(row);
	}
}

let last:
	| {
			readonly entry: SessionEntry;
			readonly entries: Session["entries"];
			readonly home: string;
			readonly width: number;
			readonly layout: EntryLayout;
	  }
	| undefined;

/** The layout of an entry; the same object for the same entry, also while its session grows. */
export function entryLayout(entry: SessionEntry, session: Session, home: string, width: number): EntryLayout {
	const { entries } = session;
	const isSame = last?.entry === entry && last.entries === entries && last.home === home && last.width === width;
	if (last === undefined || !isSame)
		last = { entry, entries, home, width, layout: new EntryLayout(entry, session, home, width) };
	return last.layout;
}

/** What of an entry the pane under the tree shows. */
export interface EntryInSight {
	readonly layout: EntryLayout;
	/** First visible row, from 0. */
	readonly top: number;
	/** Rows that fit. */
	readonly height: number;
}

/** The entry under the tree's cursor as its pane shows it; undefined while there is none, or the pane is not drawn. */
export function entryInSight(state: State): EntryInSight | undefined {
	const box = layoutFor(state).reader;
	const session = shownSession(state.detail);
	const entry = selectedEntry(state);
	if (box === undefined || session === undefined || entry === undefined) return undefined;
	const { width, height } = inner(box);
	const layout = entryLayout(entry, session, state.environment.home, width);
	if (state.entryTop > 0) layout.layOut(state.entryTop + height);
	return { layout, top: Math.max(0, Math.min(state.entryTop, layout.rows.length - height)), height };
}

/** The terms to mark in the text of entries: those of the tree's filter, else of the search that found the session. */
export function searchTerms(state: State): readonly Term[] {
	const { parsed } = state.tree;
	return parsed.text === "" ? state.list.search.query.terms : parsed.terms;
}

function* partsOf(entry: SessionEntry, session: Session, home: string, width: number): Generator<EntryTextRow[], void> {
	yield [row(cutText(sanitizeLine(entryHeading(entry, session, home)), width), "accent", true)];
	for (const { title, text, tone } of entrySections(entry, session, home)) {
		const titles = title === "" ? [] : wrapText(sanitizeLine(title), width);
		yield [row(blanks(0), "text", false), ...titles.map((each) => row(each, "verb", true))];
		for (const part of wrapInParts(text, width)) yield part.map((each) => row(each, tone, false));
	}
}

function row(text: CleanText, tone: Tone, bold: boolean): EntryTextRow {
	return { text, tone, bold };
}
