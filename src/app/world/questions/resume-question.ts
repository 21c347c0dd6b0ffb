import { isByProcess, type UseEvidence, useKey } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Choice } from "../../../changes/answer.ts";
import { goneQuestion, questionAbout } from "../../../changes/engine/ask.ts";
import { evidenceNotes } from "../../../changes/engine/question-notes.ts";
import { certaintyOf, guard, type ShownSession, verdictOn } from "../../../changes/guard/guard.ts";
import { describeUse, evidenceWords, stateOfUse, titleOfUse } from "../../../changes/guard/guard-words.ts";
import { kindOfSessions } from "../../../changes/kinds/kinds.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { quote } from "../../../ui/text/width.ts";
import { CANCEL } from "../screen/menus.ts";
import { actOf, type Effect, type GuardedEffect } from "../state/effect.ts";
import { type EffectQuestion, isPage, type MenuOverlay, openOverlay } from "../state/overlays.ts";
import { type State, say } from "../state/state.ts";
import { changedMenu, keptMenu, knownOf } from "./ask.ts";

type ResumeEffect = Extract<GuardedEffect, { type: "resume" | "resume-from" }>;

/** Whether the browser runs in tmux, and the time, Unix ms. */
interface Surroundings {
	readonly tmux: boolean;
	readonly now: number;
}

/** The question whether to resume a session that may be in use; kept up to date while it is open. */
export function resumeMenu(state: State, effect: ResumeEffect, session: ShownSession): MenuOverlay {
	return keptMenu(state, resumeQuestion(effect, session, surroundingsOf(state)), (now) => {
		const row = now.catalog.rows.get(session.row.path);
		if (row === undefined) return goneQuestion([session.row.path], now.environment.home);
		const { uses } = guard(actOf(effect), now.catalog.live, row);
		return resumeQuestion(effect, { row, uses }, surroundingsOf(now));
	});
}

function surroundingsOf({ environment, now }: State): Surroundings {
	return { tmux: environment.tmux === true, now };
}

/** Asks before a session is resumed that may be in use. Nothing is added to a session that is certainly in use. */
export function resumeQuestion(
	effect: ResumeEffect,
	session: ShownSession,
	{ tmux, now }: Surroundings,
): EffectQuestion {
	const { row, uses } = session;
	const base = { about: sessionTitle(row), facts: uses.map(useKey).join("\n"), danger: true };
	const copy = withoutConflict(effect);
	if (verdictOn(actOf(effect), uses).decision === "refuse")
		return {
			...base,
			title: `${titleOfUse(uses)}: nothing is added to this session`,
			body: [evidenceWords(uses, now)],
			choices: [...goToUse(tmux, uses), copy, { label: "Close" }],
		};
	if (uses.length === 0)
		return {
			...base,
			title: "Resume this session?",
			body: ["It is no longer in use."],
			choices: [CANCEL, resumeChoice("", effect, session)],
			danger: false,
		};
	const anyway = resumeChoice("anyway", effect, session);
	return {
		...base,
		title: `This session ${stateOfUse(uses)}`,
		body: [
			...evidenceNotes(uses, now),
			"A second pi would write to the same file, and neither would see what the other writes.",
		],
		// A pi that only may have it open usually has another session open: the fork is not the first choice then.
		choices: certaintyOf(uses) === "may-have" ? [anyway, copy, CANCEL] : [...goToUse(tmux, uses), copy, anyway, CANCEL],
	};
}

/** In tmux, the choice that leads to the window of the process with the session, which people mostly look for. */
function goToUse(tmux: boolean, uses: readonly UseEvidence[]): readonly Choice<Effect>[] {
	// The window of the pi that we came from is this one.
	const use = uses.find((each) => isByProcess(each) && each.kind !== "host");
	if (!tmux || use === undefined || !("pid" in use)) return [];
	return [{ label: "Go to it, in its tmux window", effect: { type: "go-to-use", pid: use.pid } }];
}

function resumeChoice(how: "anyway" | "", effect: ResumeEffect, session: ShownSession): Choice<Effect> {
	const what = effect.type === "resume" ? "Resume" : "Resume from the entry";
	return { label: `${what} ${how}`.trim(), effect: { ...effect, request: { ...effect.request, shown: session } } };
}

/** The choice that continues from the same point in a new file. */
function withoutConflict(effect: ResumeEffect): Choice<Effect> {
	const { path, cwd, inWindow } = effect.request;
	if (effect.type === "resume") {
		const request = { path, cwd, ...(inWindow && { inWindow }) };
		return { label: "Open a copy: fork it, and resume the fork", effect: { type: "resume-fork", request } };
	}
	return {
		label: "Branch: the path to the entry, into a new session",
		effect: { type: "branch", path, entryId: effect.entryId },
	};
}

/**
 * Asks about evidence that an effect has found. If the person has opened something meanwhile, a message is shown instead,
 * since nothing was done.
 */
export function askAboutUse(state: State, effect: GuardedEffect, session: ShownSession): State {
	const { row, uses } = session;
	if (!state.overlays.every(isPage)) {
		const evidence = uses.map((use) => describeUse(use, state.now)).join(" ");
		return say(state, `${quote(sessionTitle(row))} may be in use; nothing was done. ${evidence}`, "warning");
	}
	if (effect.type !== "change-sessions") return openOverlay(state, resumeMenu(state, effect, session));
	const ask = (now: State): EffectQuestion => questionAbout(effect.change, [row.path], knownOf(now));
	// An effect that does not always ask has not asked before.
	const menu = kindOfSessions(effect.change).asks?.always === true ? changedMenu : keptMenu;
	return openOverlay(state, menu(state, ask(state), ask));
}

/** For resuming an archived session: pi does not list it, so it has to be restored first. `here`: where pi is started without a directory. */
export function archivedQuestion(row: SessionRow, here: string): EffectQuestion {
	const session = { row, uses: [] };
	const request = { path: row.path, cwd: row.cwd || here, shown: session };
	return {
		title: "This session is archived",
		about: sessionTitle(row),
		body: ["pi resumes only sessions in its session directory."],
		choices: [
			{ label: "Bring it back and resume it", effect: { type: "resume-archived", request } },
			{
				label: "Bring it back",
				effect: { type: "change-sessions", change: { type: "bring-back" }, sessions: [session] },
			},
			CANCEL,
		],
		danger: false,
	};
}
