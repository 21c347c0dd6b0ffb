import { indexAt } from "../../../conversation/entries/outline-columns.ts";
import type { EntryColumns } from "../../../conversation/tree/entry-columns.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Session } from "../../../store/read/read-session.ts";

/** A labeled entry, by its place in the drawing. */
interface LabeledPlace {
	readonly place: number;
	readonly id: string;
}

/** All labeled entries, in drawing order. */
const labeledPlaces = memoLast((session: Session, { outline }: EntryColumns): readonly LabeledPlace[] =>
	[...session.tree.labels.keys()]
		.map((id) => ({ id, place: outline.place[indexAt(outline, id)] ?? -1 }))
		.filter(({ place }) => place !== -1)
		.sort((one, other) => one.place - other.place),
);

/** Id of the first labeled entry at places `from` (inclusive) to `to` (exclusive) of the drawing; undefined for none. */
export function firstLabeled(session: Session, columns: EntryColumns, from: number, to: number): string | undefined {
	const places = labeledPlaces(session, columns);
	let low = 0;
	let high = places.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((places[middle]?.place ?? 0) < from) low = middle + 1;
		else high = middle;
	}
	const found = places[low];
	return found !== undefined && found.place < to ? found.id : undefined;
}
