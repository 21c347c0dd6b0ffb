import type { Line } from "../model/view.ts";
import { gaugeParts } from "./gauge-parts.ts";
import { type Part, partLine } from "./part-line.ts";
import type { ResumeView } from "./resume-view.ts";

/** What going on from an entry means, in the longest form that fits into so many cells; undefined where none does. */
export function gaugeLine({ gauge, reasons }: ResumeView, width: number): Line | undefined {
	const failure: Part[] = reasons.some(({ severity }) => severity === "fails") ? [FAILURE] : [];
	const notes = reasons.filter(({ severity }) => severity === "note").map(({ reason }) => noteOf(reason));
	return partLine([...failure, ...gaugeParts(gauge), ...notes], width);
}

const FAILURE: Part = { text: "✗ pi cannot go on here", tone: "error", rank: 0 };

/** A sentence as a part of a line. */
function noteOf(reason: string): Part {
	return { text: reason.replace(/\.$/, ""), rank: 9 };
}
