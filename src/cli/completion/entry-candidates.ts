import { entryKind } from "../../conversation/entries/entry-kind.ts";
import { placeOf } from "../../conversation/entries/place.ts";
import { describeRow } from "../../conversation/entries/row.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCount } from "../../ui/text/format.ts";
import type { Pair } from "../help/help-layout.ts";

/**
 * The most entries that are proposed. Shells ask before they list more than a hundred, and copy all candidates: with a million
 * of them they hang, and nobody looks through more than the last few screens.
 */
const MOST = 1000;

/**
 * The entries whose ids begin with `start` and may be proposed, each with its text, last ones first; only prompts if `start` is
 * empty. With more than `MOST`, the last pair is the common beginning of all ids, and says that there are more: a shell
 * completes a word as far as its candidates agree, and the last entries alone may agree further than all do, which would
 * hide the others.
 */
export function entryCandidates(
	session: Session,
	start: string,
	{ home, mayPropose }: { readonly home: string; readonly mayPropose: (id: string) => boolean },
): readonly Pair[] {
	const place = placeOf(session, home);
	const { entries } = session;
	const found: Pair[] = [];
	let common: string | undefined;
	let more = 0;
	for (let index = entries.length - 1; index >= 0; index--) {
		const entry = entries[index];
		if (entry === undefined || !entry.id.startsWith(start) || !mayPropose(entry.id)) continue;
		if (start === "" && entryKind(entry) !== "prompt") continue;
		common = common === undefined ? entry.id : commonStart(common, entry.id);
		if (found.length < MOST) {
			const { verb, text } = describeRow(entry, session, place);
			found.push([entry.id, `${verb?.text ?? ""} ${text}`]);
		} else more++;
	}
	return more === 0 ? found : [...found, [common ?? start, `and ${formatCount(more)} more: type more of an id`]];
}

/** The common beginning of two ids, in whole characters. */
function commonStart(one: string, other: string): string {
	if (other.startsWith(one)) return one;
	let common = "";
	for (const character of one) {
		if (!other.startsWith(common + character)) break;
		common += character;
	}
	return common;
}
