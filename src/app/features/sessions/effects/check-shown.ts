import { type Stats, statSync } from "node:fs";
import { guardAgain } from "../../../../changes/guard/guard.ts";
import { sessionTitle } from "../../../../conversation/entries/session-title.ts";
import type { Sessions } from "../../../world/effects/capabilities.ts";
import type { Action } from "../../../world/state/action.ts";
import type { GuardedEffect } from "../../../world/state/effect.ts";
import { actOf } from "../../../world/state/effect.ts";

/**
 * Checks again the session of an effect. Undefined if it still is as the person was shown; otherwise nothing may be done, and
 * the action says so.
 */
export async function checkShown(
	effect: GuardedEffect,
	{ checkUse }: Pick<Sessions, "checkUse">,
): Promise<Action | undefined> {
	const shown = effect.type === "trash" || effect.type === "forward" ? effect.shown : effect.request.shown;
	if (shown === undefined) return undefined;
	const { row } = shown;
	const { decision, uses } = guardAgain(actOf(effect), await checkUse([row.path]), shown);
	if (decision !== "free") return { type: "in-use", effect, now: { row, uses } };
	if (effect.type === "forward") return undefined;
	const stats = statOf(row.path);
	if (effect.type === "trash") {
		if (stats !== undefined && stats.size !== row.size)
			return warn(
				`"${sessionTitle(row)}" has changed since you were asked, so it was not moved to the trash. Look again.`,
			);
	} else if (!stats?.isFile()) {
		return warn(`Cannot resume "${sessionTitle(row)}": its file ${row.path} is no longer there.`);
	}
	return undefined;
}

/** Undefined if there is no such file, or it cannot be checked: what is done next reports why. */
function statOf(path: string): Stats | undefined {
	try {
		return statSync(path);
	} catch {
		return undefined;
	}
}

function warn(text: string): Action {
	return { type: "done", message: { text, tone: "warning" } };
}
