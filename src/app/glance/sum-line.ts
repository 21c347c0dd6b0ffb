import type { Session } from "../../store/read/read-session.ts";
import type { Line } from "../model/view.ts";
import { leafOutlook } from "./outlook.ts";
import { type Part, partLine } from "./part-line.ts";
import { sessionSum } from "./session-sum.ts";
import { glanceSumParts } from "./sum-parts.ts";

/** Of a model's name, which may be any text. */
const MAX_NAME = 60;

/**
 * What a session comes to, and its model, in the longest form that fits into so many cells. Undefined while it is not known,
 * or where not even its turns fit. `home`: the person's home directory.
 */
export function sumLine(session: Session, home: string, width: number): Line | undefined {
	const sum = sessionSum(session, home);
	if (sum === undefined) return undefined;
	const model = leafOutlook(session)?.model;
	const named: Part[] = model === undefined ? [] : [{ text: model.modelId.slice(0, MAX_NAME), rank: 9 }];
	return partLine([...glanceSumParts(sum), ...named], width);
}
