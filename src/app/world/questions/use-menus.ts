import { isByProcess, keyOf, type UseEvidence } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { certaintyOf, guard, type Shown, takeable, type Verdict, verdictOn } from "../../../changes/guard/guard.ts";
import { describeUse, evidenceWords, stateOfUse, titleOfUse } from "../../../changes/guard/guard-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { quote } from "../../../ui/text/width.ts";
import { familiesOf, runsBelow } from "../list/families.ts";
import { CANCEL, menu, sentence, titleRow } from "../screen/menus.ts";
import { actOf, type GuardedEffect, windowOf } from "../state/effect.ts";
import { type MenuItem, type MenuOverlay, openOverlay, replaceTop, topOverlay } from "../state/overlays.ts";
import { type State, say } from "../state/state.ts";

/**
 * Asks before a session is moved to the trash, or says why it must not be; kept up to date while it is open. Highlights the
 * first item, or Cancel with an index of 1, or if there is evidence that the session is in use.
 */
export function deleteQuestion(state: State, row: SessionRow, index: 0 | 1 = 0): MenuOverlay {
	const verdict = guard("take", state.catalog.live, row);
	const { uses } = verdict;
	const refusal = refusalOf(verdict, state.now);
	const question =
		refusal === undefined
			? deleteMenu(state, { row, uses }, sentencesAbout(state, uses))
			: notice(state, row, `${refusal.what}: this session is not deleted`, refusal.reason);
	const facts = [row.size, row.messageCount, factsOf(uses)].join("\n");
	const ask = (now: State): MenuOverlay => changedQuestion(now, row, deleteQuestion);
	const cancel = question.items.length - 1;
	const highlighted = index === 1 ? cancel : Math.min(question.index, cancel);
	return { ...question, index: highlighted, question: { facts, ask } };
}

/** Why nothing may be done to a session that others may be writing to: the evidence, and what to do about it. */
interface Refusal {
	/** Start of a title: that it is in use, or only that it grows. */
	readonly what: string;
	readonly reason: string;
}

/** Undefined if the act is allowed, or if the person may agree to it. */
function refusalOf({ decision, uses }: Verdict, now: number): Refusal | undefined {
	return decision === "refuse" ? { what: titleOfUse(uses), reason: evidenceWords(uses, now) } : undefined;
}

/** The question after something has changed, with the item highlighted that does nothing. */
function changedQuestion(
	state: State,
	before: SessionRow,
	ask: (state: State, row: SessionRow) => MenuOverlay,
): MenuOverlay {
	const row = state.catalog.rows.get(before.path);
	if (row === undefined) return notice(state, before, "Nothing is done", "Its file is no longer there.");
	const asked = ask(state, row);
	const changed = sentence(state, "This has changed since you were asked.", "warning");
	const body = [...asked.body.slice(0, 1), ...changed, ...asked.body.slice(1)];
	return { ...asked, body, index: Math.max(0, asked.items.findIndex(doesNothing)) };
}

function doesNothing({ change, effect }: MenuItem): boolean {
	return change === undefined && effect === undefined;
}

function factsOf(uses: readonly UseEvidence[]): string {
	return uses.map(keyOf).join("\n");
}

/** Replaces the open question if what it shows is no longer true. */
export function refreshQuestion(state: State): State {
	const top = topOverlay(state);
	if (top?.kind !== "menu" || top.question === undefined) return state;
	const next = top.question.ask(state);
	return next.question?.facts === top.question.facts ? state : replaceTop(state, next);
}

/**
 * Asks before pi is made to continue from the end of a session again, or says why it must not be; kept up to date while it
 * is open. `about`: sentences that explain the situation.
 */
export function forwardQuestion(
	state: State,
	effect: Extract<GuardedEffect, { type: "forward" }>,
	{ row, uses }: Shown,
	about: readonly string[] = [],
): MenuOverlay {
	const verdict = verdictOn(actOf(effect), uses);
	const refusal = refusalOf(verdict, state.now);
	const ask = (now: State): MenuOverlay =>
		changedQuestion(now, row, (_, present) => {
			const shown = { row: present, uses: guard(actOf(effect), now.catalog.live, present).uses };
			return forwardQuestion(now, effect, shown, about);
		});
	const question = { facts: factsOf(uses), ask };
	if (refusal !== undefined)
		return { ...notice(state, row, `${refusal.what}: nothing is added to this session`, refusal.reason), question };
	const isDoubtful = verdict.decision === "ask";
	const body = [
		titleRow(sessionTitle(row)),
		// First, since a small screen may cut the rest.
		...(isDoubtful ? sentencesAbout(state, uses) : []),
		...(isDoubtful ? sentence(state, "A pi that has it open goes on where it is.", "warning") : []),
		...about.flatMap((text) => sentence(state, text)),
		...sentence(state, "If you went back there yourself, leave it as it is.", "muted"),
	];
	const label = "From the end: adds one line to the session; undo takes it back";
	const items = [{ label, effect: { ...effect, shown: { row, uses } } }, CANCEL];
	return {
		...menu("Go on from the end again?", body, { index: isDoubtful ? 1 : 0, danger: isDoubtful, items }),
		question,
	};
}

/**
 * Asks before a session is resumed that may be in use; kept up to date while it is open. Nothing is added to a session that
 * is certainly in use.
 */
export function resumeQuestion(state: State, effect: ResumeEffect, { row, uses }: Shown): MenuOverlay {
	const ask = (now: State): MenuOverlay =>
		changedQuestion(now, row, (_, present) => {
			const shown = { row: present, uses: guard(actOf(effect), now.catalog.live, present).uses };
			return shown.uses.length === 0 ? freeQuestion(now, effect, shown) : resumeQuestion(now, effect, shown);
		});
	return { ...menuOfUse(state, effect, { row, uses }), question: { facts: factsOf(uses), ask } };
}

function menuOfUse(state: State, effect: ResumeEffect, { row, uses }: Shown): MenuOverlay {
	const title = titleRow(sessionTitle(row));
	const refusal = refusalOf(verdictOn(actOf(effect), uses), state.now);
	if (refusal !== undefined)
		return menu(`${refusal.what}: nothing is added to this session`, [title, ...sentence(state, refusal.reason)], {
			danger: true,
			items: [...goToUse(state, uses), withoutConflict(effect), { label: "Close" }],
		});
	const body = [
		title,
		...sentencesAbout(state, uses),
		...sentence(state, "A second pi would write to the same file, and neither would see what the other writes."),
	];
	const anyway = resumeItem("anyway", effect, { row, uses });
	const copy = withoutConflict(effect);
	// A pi that only may have it open usually has another session open: the fork is not the first choice then.
	const items =
		certaintyOf(uses) === "may-have" ? [anyway, copy, CANCEL] : [...goToUse(state, uses), copy, anyway, CANCEL];
	return menu(`This session ${stateOfUse(uses)}`, body, { danger: true, items });
}

/** In tmux, the item that leads to the window of the process which has the session: that is what is looked for mostly. */
function goToUse({ environment }: State, uses: readonly UseEvidence[]): MenuItem[] {
	// The window of the pi that we came from is this one.
	const use = uses.find((each) => isByProcess(each) && each.kind !== "host");
	if (environment.tmux !== true || use === undefined || !("pid" in use)) return [];
	return [{ label: "Go to it, in its tmux window", effect: { type: "go-to-use", pid: use.pid } }];
}

/** The question that replaces another one once the session is free. */
function freeQuestion(state: State, effect: ResumeEffect, shown: Shown): MenuOverlay {
	const body = [titleRow(sessionTitle(shown.row)), ...sentence(state, "There is no sign any more that it is in use.")];
	const { question } = resumeQuestion(state, effect, shown);
	const asked = menu("Resume this session?", body, { items: [CANCEL, resumeItem("", effect, shown)] });
	return question === undefined ? asked : { ...asked, question };
}

function resumeItem(how: "anyway" | "", effect: ResumeEffect, shown: Shown): MenuItem {
	const what = effect.type === "resume" ? "Resume" : "Resume from the entry";
	return { label: `${what} ${how}`.trim(), effect: { ...effect, request: { ...effect.request, shown } } };
}

type ResumeEffect = Extract<GuardedEffect, { type: "resume" | "resume-from" }>;

/** The item that continues from the same point in a new file. */
function withoutConflict(effect: ResumeEffect): MenuItem {
	const { path, cwd } = effect.request;
	if (effect.type === "resume")
		return {
			label: "Open a copy: fork it, and resume the fork",
			effect: { type: "fork", path, cwd, resume: true, ...windowOf(effect.request) },
		};
	return {
		label: "Branch: the path to the entry, into a new session",
		effect: { type: "branch", path, entryId: effect.entryId },
	};
}

/**
 * Asks about evidence that an effect has found. If the person has opened something meanwhile, a message is shown instead,
 * since nothing was done.
 */
export function askAboutUse(state: State, effect: GuardedEffect, { row, uses }: Shown): State {
	if (state.overlays.length > 0) {
		const seen = uses.map((use) => describeUse(use, state.now)).join(" ");
		return say(state, `${quote(sessionTitle(row))} may be in use; nothing was done. ${seen}`, "warning");
	}
	const question =
		effect.type === "trash" ? changedQuestion(state, row, deleteQuestion) : questionOfUse(state, effect, { row, uses });
	return openOverlay(state, question);
}

/** The question about evidence found before an effect. In the shell it is not kept up to date. */
export function questionOfUse(state: State, effect: GuardedEffect, shown: Shown): MenuOverlay {
	switch (effect.type) {
		case "trash":
			return deleteQuestion(state, shown.row);
		case "forward":
			return forwardQuestion(state, effect, shown);
		default:
			return resumeQuestion(state, effect, shown);
	}
}

function sentencesAbout(state: State, uses: readonly UseEvidence[]): Line[] {
	// If a process has the session, it is clear who writes to it.
	const isKnown = uses.some(isByProcess);
	const relevant = uses.filter(({ kind }) => kind !== "grew" || !isKnown);
	return relevant.flatMap((use) => sentence(state, describeUse(use, state.now), "warning"));
}

function notice(state: State, row: SessionRow, title: string, text: string): MenuOverlay {
	const body = [titleRow(sessionTitle(row)), ...sentence(state, text)];
	return menu(title, body, { danger: true, items: [{ label: "Close" }] });
}

/**
 * Asks before a session is moved to the trash: its name and size, what happens to its forks and to the runs of its subagents,
 * and who may be using it.
 */
function deleteMenu(state: State, shown: Shown, aboutUse: readonly Line[]): MenuOverlay {
	const { row } = shown;
	const { rows, live } = state.catalog;
	const forks = [...rows.values()].filter(
		(other) => other.parentSession === row.path && other.run === undefined,
	).length;
	const runs = runsBelow(row, familiesOf(rows));
	const free = takeable(runs, live);
	// A small terminal cuts the end of this.
	const body: Line[] = [titleRow(sessionTitle(row))];
	if (forks > 0) {
		body.push([
			span(
				`${formatCounted(forks, "fork")} of it ${forks === 1 ? "stays in the list, without its" : "stay in the list, without their"} parent.`,
			),
		]);
	}
	if (runs.length > 0) body.push(...runLines(state, runs.length, runs.length - free.length));
	body.push(
		[span(`${formatCounted(row.messageCount, "message")}, ${formatSize(row.size)}`, "muted")],
		[span(sanitizeLine(shortenHome(row.path, state.environment.home)), "muted")],
	);
	const family: readonly MenuItem[] =
		free.length === 0
			? []
			: [
					{
						label: `Move it and its ${free.length === 1 ? "run" : formatCounted(free.length, "run")} to the trash`,
						effect: { type: "change-all", change: { type: "trash" }, sessions: [shown, ...free] },
					},
				];
	const trash: MenuItem = { label: "Move to the trash", effect: { type: "trash", path: row.path, shown } };
	const items = [trash, ...family, CANCEL];
	return menu("Move this session to the trash?", [...body.slice(0, 1), ...aboutUse, ...body.slice(1)], {
		danger: true,
		index: shown.uses.length === 0 ? 0 : items.length - 1,
		items,
	});
}

/** What happens to the runs of a session that is deleted. */
function runLines(state: State, runs: number, inUse: number): readonly Line[] {
	const stay = runs === 1 ? "stays in the list on its own" : "stay in the list on their own";
	const used = `${formatCount(inUse)} of them ${inUse === 1 ? "is in use and stays" : "are in use and stay"} in any case.`;
	const text = `If you delete only this session, its ${runs === 1 ? "subagent run" : formatCounted(runs, "subagent run")} ${stay}.`;
	return sentence(state, inUse === 0 ? text : `${text} ${used}`);
}
