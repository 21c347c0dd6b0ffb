import { isByProcess, type UseEvidence } from "../../catalog/model/live.ts";
import { describeUse, howToFree } from "./describe-use.ts";
import { certaintyOf, type Verdict } from "./guard.ts";

/** How certain it is that a session is in use, as what is said of it: "it is in use". */
const STATES: Readonly<Record<ReturnType<typeof certaintyOf>, string>> = {
	"in-use": "is in use",
	grew: "was written to just now",
	"may-have": "may be in use",
};

/** "is in use", "was written to just now", "may be in use". */
export function stateOfUse(uses: readonly UseEvidence[]): string {
	return STATES[certaintyOf(uses)];
}

/** The same at the beginning of a title: "In use". */
export function titleOfUse(uses: readonly UseEvidence[]): string {
	const certainty = certaintyOf(uses);
	if (certainty === "in-use") return "In use";
	return certainty === "grew" ? "Written to just now" : "It may be in use";
}

/** What was seen, and what to do about it, in sentences: "pi (pid 4711, since 14:05) was started with it. Leave that pi first." */
export function evidenceWords(uses: readonly UseEvidence[], now: number): string {
	const use = strongest(uses);
	return use === undefined ? "" : `${describeUse(use, now)} ${howToFree(use)}`;
}

/**
 * Why an action is not done, as a sentence to follow a colon, with what was seen and what to do; undefined where it may be
 * done. `now` in Unix ms.
 */
export function whyNot({ decision, uses }: Verdict, now: number): string | undefined {
	return decision === "free" ? undefined : `it ${stateOfUse(uses)}. ${evidenceWords(uses, now)}`;
}

/** What is added to the message about a line that was appended to a session that a pi has open; "" where none has. */
export function alsoOpen({ uses }: Verdict, now: number): string {
	const use = uses.find((one) => isByProcess(one) && one.kind !== "host");
	return use === undefined ? "" : `. ${describeUse(use, now)} There it shows once the session is opened anew.`;
}

function strongest(uses: readonly UseEvidence[]): UseEvidence | undefined {
	return uses.find(isByProcess) ?? uses.find(({ kind }) => kind === "grew") ?? uses[0];
}
