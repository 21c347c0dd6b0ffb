import type { Term } from "../../../catalog/query/parse-query.ts";
import { type Matcher, termsMatcher, textMatcher } from "../../../conversation/document/find-job.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { joinText, sliceText } from "../../../ui/text/sanitize.ts";
import { queryIn } from "../../world/opened/select-tree.ts";
import { type State, shownSession } from "../../world/state/state.ts";

/** The terms to mark in entries: of the tree's filter, else of the search of the list. */
export function searchTerms(state: State): readonly Term[] {
	const { parsed } = state.tree;
	return parsed.text === "" ? queryIn(state, shownSession(state.detail)?.path).terms : parsed.terms;
}

/** What to mark in the conversation: matches of the search in it, else of the filter or the search of the list. */
export function marksOf(state: State): Matcher | undefined {
	const { find } = state.reader;
	if (find !== undefined) return find.job?.matcher ?? (find.text.text === "" ? undefined : textMatcher(find.text.text));
	const terms = searchTerms(state);
	return terms.length === 0 ? undefined : termsMatcher(terms);
}

/** The line with its matches marked. */
export function marked(line: Line, matcher: Matcher): Line {
	const ranges = matcher(lineText(line));
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

/** The text of a line. */
export function lineText(line: Line): string {
	return joinText(...line.map(({ text }) => text));
}
