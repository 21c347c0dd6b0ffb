import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Diagnostic } from "../../../store/format/diagnostic.ts";
import type { TextBlocks } from "../../../ui/page/text-blocks.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Line, Tone } from "../../../ui/view.ts";
import { findingSentence } from "../../features/doctor/doctor-words.ts";
import { damagedRows } from "../../features/list/damaged-rows.ts";
import type { State } from "../../world/state.ts";

/** The problems found at the start, and those of the catalog, the pins, the tags and the saved queries now. */
export function allProblems({ environment, catalog, markProblems, saved }: State): Problems {
	return joinProblems(environment.problems, catalog.problems, markProblems, saved.problems);
}

type Problems = readonly Pick<CatalogProblem, "message">[];

const joinProblems = memoLast(
	(before: Problems, now: Problems, marks: readonly string[], saved: readonly string[]): Problems => [
		...before,
		...now,
		...[...marks, ...saved].map((message) => ({ message })),
	],
);

/** Everything that is damaged or could not be read, with the reason, wrapped to `width` cells: a block for each. */
export const problemBlocks = memoLast(
	(problems: Problems, rows: ReadonlyMap<string, SessionRow>, home: string, width: number): TextBlocks => {
		const damaged = damagedRows(rows);
		const paragraph = (text: string, indent: string, tone: Tone): Line[] =>
			wrapText(sanitizeLine(text), width - indent.length).map((row) => [span(indent + row, tone)]);
		const linesOfRow = (row: SessionRow): readonly Line[] => [
			...paragraph(sessionTitle(row), " ", "text"),
			...paragraph(shortenHome(row.path, home), "   ", "muted"),
			...row.diagnostics.flatMap((diagnostic) => paragraph(findingSentence(diagnostic), "   ", toneOf(diagnostic))),
		];
		const linesOf = (block: number): readonly Line[] => {
			const problem = problems[block];
			if (problem !== undefined) return paragraph(problem.message, " ", "warning");
			const row = damaged[block - problems.length];
			if (row === undefined) return [];
			return block === 0 ? linesOfRow(row) : [[span("")], ...linesOfRow(row)];
		};
		return { count: problems.length + damaged.length, linesOf };
	},
);

function toneOf({ severity }: Diagnostic): Tone {
	return severity === "damage" ? "error" : "muted";
}
