import type { Comparison } from "../../../conversation/branches/compare-ends.ts";
import { changeSpans, countLines } from "../../../conversation/entries/change-spans.ts";
import { memoLast } from "../../../shared/memo.ts";
import { cursorIndex, FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart, joinEnds } from "../../../ui/text/width.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { definePage } from "../../world/page/define-page.ts";
import {
	cursorOnFile,
	type DiffRow,
	diffLayout,
	diffRowsOf,
	drawDiffRow,
	rowLead,
} from "../../world/page/file-diffs.ts";
import { wholePage } from "../../world/page/page.ts";
import { pageOf } from "../../world/state/overlays.ts";
import { defineSlice, type State } from "../../world/state/state.ts";
import { selectComparison } from "./compare-state.ts";
import { type Difference, type FileDifference, loadDifference } from "./effects/compare-effects.ts";

interface DifferenceState {
	readonly cursor: PageCursor;
}

export const DIFFERENCE = defineSlice<DifferenceState>("difference", { cursor: FIRST_CURSOR });

type DifferenceRow = DiffRow<FileDifference>;

/** Read while the page is open, and kept as long as the comparison stays the same. */
export const DIFFERENCES = defineQuery<Comparison, Difference>({
	name: "difference of files",
	wanted(state, { asked }) {
		const comparison = selectComparison(state);
		return pageOf(state) === "difference" || asked === comparison ? comparison : undefined;
	},
	// What is appended to the open session is compared after the rest.
	finishes: () => true,
	load: loadDifference,
	// Files that are being compared again stay meanwhile.
	merge: (earlier, part) => ({ ...part, files: [...part.files, ...(earlier?.files.slice(part.files.length) ?? [])] }),
	forgets: true,
});

/** On a narrower screen a heading is only the name of the file. */
const NARROW = 60;

export const DIFFERENCE_PAGE = definePage<DifferenceRow>({
	kind: "difference",
	slice: DIFFERENCE,
	name: "compare",
	title: "files, from 1 to 2",
	layout: ({ size }) => ({ list: wholePage(size), second: undefined }),
	rows: selectRows,
	draw(state) {
		const layout = diffLayout(state.size.columns);
		const { value } = DIFFERENCES.of(state);
		return (row, { selected, width }) => {
			if (row.index !== -1) return drawDiffRow(row, layout, value?.renderers, rowLead(selected));
			const name = strong(cutTextStart(sanitizeLine(row.file.path), Math.floor(layout.cells / 2)));
			return joinEnds([...rowLead(selected), name], width < NARROW ? [] : headingEnd(row.file), width);
		};
	},
	notes(state) {
		const { value } = DIFFERENCES.of(state);
		if (value === undefined) return [];
		const { files, total } = value;
		const read = files.length < total ? `${formatCount(files.length)} of ` : "";
		return [[span(`${read}${formatCounted(total, "file")}`, "muted")]];
	},
	nothing(state) {
		if (DIFFERENCES.of(state).value === undefined) return ["Reading …"];
		return [
			"Neither has changed a file with pi's tools since the two parted. What shell commands changed is not recorded.",
		];
	},
});

function selectRows(state: State): readonly DifferenceRow[] {
	const { value } = DIFFERENCES.of(state);
	return value === undefined ? [] : differenceRows(value, state.size.columns);
}

const differenceRows = memoLast(({ files }: Difference, columns: number): readonly DifferenceRow[] =>
	diffRowsOf(files, () => true, diffLayout(columns)),
);

/** What the diff of a file comes to, and how sure it is. */
function headingEnd({ kind, diffs, edits }: FileDifference): Line {
	if (kind === "edits") {
		const counts = edits.flatMap(({ length }, index) =>
			length === 0 ? [] : [`${formatCounted(length, "edit")} in ${index + 1}`],
		);
		return [span(`${counts.join(", ")}   edit by edit `, "muted")];
	}
	const words = span(`   ${kind} `, "muted");
	const lines = diffs.flatMap((one) => one.lines);
	if (lines.length === 0) return [span("the same in both", "muted"), words];
	return [...changeSpans(countLines(lines)), words];
}

export function goToComparedFile(state: State, by: 1 | -1): State {
	const cursor = cursorOnFile(selectRows(state), DIFFERENCE.of(state).cursor, by);
	return cursor === undefined ? state : DIFFERENCE.with(state, { cursor });
}

export function selectedFile(state: State): FileDifference | undefined {
	const rows = selectRows(state);
	return rows[cursorIndex(DIFFERENCE.of(state).cursor, rows)]?.file;
}
