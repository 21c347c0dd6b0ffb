import { FindJob } from "../../../conversation/document/find-job.ts";
import { termsMatcher } from "../../../conversation/document/matcher.ts";
import { selectReader } from "../../world/opened/select-reader.ts";
import type { State } from "../../world/state/state.ts";
import { landIn } from "./land.ts";
import { searchTerms } from "./marks.ts";

/** Looks for the first match of the filter or the search in the entry at the top, and goes there. */
export function seekMatch(state: State): State {
	const reader = selectReader(state);
	const terms = searchTerms(state);
	const entryId = state.reader.anchor?.entryId;
	if (reader === undefined || entryId === undefined || terms.length === 0) return state;
	const { document, top } = reader;
	const source = {
		from: top.entry,
		to: top.entry + 1,
		blocks: (entry: number) => document.wholeBlocks(entry),
	};
	const job = new FindJob(termsMatcher(terms), source, top.entry);
	return continueSeek({ ...state, reader: { ...state.reader, seek: { entryId, job } } });
}

/** Goes to the match as soon as it is found. */
export function continueSeek(state: State): State {
	const { seek, anchor } = state.reader;
	const reader = selectReader(state);
	if (seek === undefined || reader === undefined) return state;
	const ended = { ...state, reader: { ...state.reader, seek: undefined } };
	const entry = reader.document.indexOf(seek.entryId);
	const [first] = entry === undefined ? [] : seek.job.in(entry);
	const isMoved = anchor?.entryId !== seek.entryId || anchor.block !== 0 || anchor.row !== 0;
	if (entry === undefined || isMoved) return ended;
	if (first === undefined) return seek.job.isComplete ? ended : state;
	return landIn(ended, first, seek.job)?.state ?? ended;
}
