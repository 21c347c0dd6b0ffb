import type { Session } from "../../../store/read/read-session.ts";
import type { Line } from "../../../ui/view.ts";
import { resumeParts } from "./gauge-line.ts";
import { leafOutlook } from "./outlook.ts";
import { type Part, partLine } from "./part-line.ts";
import type { ResumeView } from "./resume-view.ts";
import { sessionSum } from "./session-sum.ts";
import { glanceSumParts } from "./sum-parts.ts";

/** Of a model's name, which may be any text. */
const MAX_NAME = 60;
/** The pieces of the gauge come after the turns, the cost and the time of a session. */
const GAUGE_RANK = 2.5;

/**
 * What a session comes to, and its model, in the longest form that fits into so many cells. Undefined while it is not known,
 * or where not even its turns fit. `home`: the person's home directory; `view`: what going on from its leaf means, where
 * that has no other place.
 */
export function sumLine(session: Session, home: string, width: number, view: ResumeView | undefined): Line | undefined {
	const sum = sessionSum(session, home);
	if (sum === undefined) return undefined;
	const gauge = view === undefined ? [] : resumeParts(view).map((part) => ({ ...part, rank: part.rank + GAUGE_RANK }));
	const model = leafOutlook(session)?.model;
	const named: Part[] = model === undefined ? [] : [{ text: model.modelId.slice(0, MAX_NAME), rank: 9 }];
	return partLine([...glanceSumParts(sum), ...gauge, ...named], width);
}
