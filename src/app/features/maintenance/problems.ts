import type { CatalogProblem } from "../../../catalog/model/event.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../../world/state/state.ts";

/** Problems found at startup, and current ones of the catalog, the pins, the tags and the saved queries. */
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
