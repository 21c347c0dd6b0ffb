import { placeOf } from "../../../conversation/entries/place.ts";
import { describeRow } from "../../../conversation/entries/row.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { quote } from "../../../ui/text/width.ts";
import type { State } from "../state/state.ts";

/** An entry quoted as its row in the tree begins, in at most `width` cells. */
export function quoteEntry(state: State, session: Session, entry: SessionEntry, width?: number): string {
	return quote(quotedWords(state, session, entry), width);
}

export function quotedWords({ environment }: State, session: Session, entry: SessionEntry): string {
	const { verb, mark, text } = describeRow(entry, session, placeOf(session, environment.home));
	return sanitizeLine([verb?.text, mark && `${mark.text} ·`, text].filter(Boolean).join(" "));
}
