import type { Line } from "../model/view.ts";
import { gaugeParts } from "./gauge-parts.ts";
import { type Part, partLine } from "./part-line.ts";
import type { ResumeView } from "./resume-view.ts";

/** What going on from an entry means, in the longest form that fits into so many cells; undefined where none does. */
export function gaugeLine({ gauge, reasons }: ResumeView, width: number): Line | undefined {
	const failure = reasons.find(({ severity }) => severity === "fails");
	const failures: Part[] = failure === undefined ? [] : [{ text: failure.short, tone: "error", rank: 0 }];
	const notes = reasons
		.filter(({ severity }) => severity === "note")
		.map(({ short }): Part => ({ text: short, tone: "warning", rank: 3 }));
	return partLine([...failures, ...gaugeParts(gauge), ...notes], width);
}
