import { evidenceOf, keyOf, type Use, usesOf } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../list/draw-row.ts";
import type { GuardedEffect } from "../model/effect.ts";
import type { Shown } from "../model/outcome.ts";
import type { MenuItem, MenuOverlay, State } from "../model/state.ts";
import { say } from "../model/transition.ts";
import type { Line, Tone } from "../model/view.ts";
import { textColumns } from "../screen/overlay-box.ts";
import { describeUse, howToFree } from "../text/describe-use.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { wrapText } from "../text/wrap.ts";
import { CANCEL, deleteMenu, menu } from "./menus.ts";
import { openOverlay, replaceTop, topOverlay } from "./overlay.ts";

/** Cells of the sentences of a question: no more than can be read well. */
const SENTENCE_COLUMNS = 72;

/** Why a session must not be deleted, for the footer: what shows it to be in use. */
export function whyNotDeleted(state: State, row: SessionRow): string | undefined {
	const [use] = evidenceOf(state.catalog.live, row);
	if (use === undefined) return undefined;
	return `"${sessionTitle(row)}" is in use and not deleted. ${describeUse(use, state.now)} ${howToFree(use)}`;
}

/** Asks before a session goes to the trash, and goes on to show what is so while the question is open. */
export function deleteQuestion(state: State, row: SessionRow): MenuOverlay {
	return { ...askToDelete(state, row), question: { facts: factsOf(state, row), ask: (now) => askAgain(now, row) } };
}

function askToDelete(state: State, row: SessionRow): MenuOverlay {
	const refusal = whyNotDeleted(state, row);
	if (refusal !== undefined) return notice(state, "This session is not deleted", refusal);
	const uses = usesOf(state.catalog.live, row, "delete");
	return deleteMenu(state, { row, uses }, sentencesAbout(state, uses));
}

/** The question after something has changed: the highlight is on what does nothing. */
function askAgain(state: State, { path }: SessionRow): MenuOverlay {
	const row = state.catalog.rows.get(path);
	if (row === undefined) return notice(state, "This session is not deleted", "Its file is no longer there.");
	const asked = deleteQuestion(state, row);
	const changed = sentence(state, "This has changed since you were asked.", "warning");
	return { ...asked, body: [...asked.body, ...changed], index: asked.items.length - 1 };
}

function factsOf(state: State, { path }: SessionRow): string {
	const row = state.catalog.rows.get(path);
	if (row === undefined) return "gone";
	return [row.size, row.messageCount, ...usesOf(state.catalog.live, row, "delete").map(keyOf)].join("\n");
}

/** Brings the open question up to date, if what it shows is no longer so. */
export function refreshQuestion(state: State): State {
	const top = topOverlay(state);
	if (top?.kind !== "menu" || top.question === undefined) return state;
	const next = top.question.ask(state);
	return next.question?.facts === top.question.facts ? state : replaceTop(state, next);
}

/** Asks before a session is resumed of which something speaks for its being in use. */
export function resumeQuestion(state: State, effect: ResumeEffect, { row, uses }: Shown): MenuOverlay {
	const { request } = effect;
	const certain = uses.some(({ kind }) => kind !== "may-have");
	const body: Line[] = [
		[{ text: sessionTitle(row), bold: true }],
		...sentencesAbout(state, uses),
		...sentence(
			state,
			`A second pi ${certain ? "writes" : "would write"} to the same file, each without the other's messages.`,
		),
	];
	const anyway: MenuItem = {
		label: effect.type === "resume" ? "Resume anyway" : "Resume from the entry anyway",
		effect: { ...effect, request: { ...request, shown: { row, uses } } },
	};
	return menu(certain ? "This session is in use" : "This session may be in use", body, {
		danger: true,
		items: [CANCEL, anyway, withoutConflict(effect)],
	});
}

type ResumeEffect = Extract<GuardedEffect, { type: "resume" | "resume-from" }>;

/** What has the person go on from the same place in a file of its own. */
function withoutConflict(effect: ResumeEffect): MenuItem {
	const { path, cwd } = effect.request;
	if (effect.type === "resume")
		return { label: "Fork, and resume the fork", effect: { type: "fork", path, cwd, resume: true } };
	return {
		label: "Branch: the path to the entry, into a new session",
		effect: { type: "branch", path, entryId: effect.entryId },
	};
}

/**
 * Asks about what an effect has seen, or says why it was refused. It never comes between the person and what they have
 * opened meanwhile: then it is only said, since nothing was done.
 */
export function askAboutUse(state: State, effect: GuardedEffect, { row, uses }: Shown): State {
	const refusal = effect.type === "trash" ? whyNotDeleted(state, row) : undefined;
	if (refusal !== undefined) return say(state, refusal, "warning");
	if (state.overlays.length > 0) {
		const seen = uses.map((use) => describeUse(use, state.now)).join(" ");
		return say(state, `"${sessionTitle(row)}" may be in use; nothing was done. ${seen}`, "warning");
	}
	const question = effect.type === "trash" ? askAgain(state, row) : resumeQuestion(state, effect, { row, uses });
	return openOverlay(state, question);
}

function sentencesAbout(state: State, uses: readonly Use[]): Line[] {
	return uses.flatMap((use) => sentence(state, describeUse(use, state.now), "warning"));
}

function notice(state: State, title: string, text: string): MenuOverlay {
	return menu(title, sentence(state, text), { danger: true, items: [{ label: "Close" }] });
}

/** A sentence as rows, so that none of it is cut off. */
function sentence({ size }: State, text: string, tone: Tone = "text"): Line[] {
	const width = Math.min(SENTENCE_COLUMNS, textColumns(size.columns));
	return wrapText(sanitizeLine(text), width).map((row) => [{ text: row, tone }]);
}
