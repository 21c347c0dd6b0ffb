import type { Line } from "../../ui/text/line.ts";
import { type Part, partLine } from "../../ui/text/width.ts";
import { failureIn } from "./can-resume.ts";
import { gaugeParts } from "./gauge-parts.ts";
import type { ResumeView } from "./resume-view.ts";

/** What going on from an entry means, in the longest form that fits into so many cells; undefined where none does. */
export function gaugeLine(view: ResumeView, width: number): Line | undefined {
	return partLine(resumeParts(view), width);
}

/** The same in pieces: what fails, the gauge, and what else is to be known. */
export function resumeParts({ gauge, reasons }: ResumeView): readonly Part[] {
	const failure = failureIn(reasons);
	const failures: Part[] = failure === undefined ? [] : [{ text: failure.short, tone: "error", rank: 0 }];
	const notes = reasons
		.filter(({ severity }) => severity === "note")
		.map(({ short }): Part => ({ text: short, tone: "warning", rank: 3 }));
	return [...failures, ...gaugeParts(gauge), ...notes];
}
