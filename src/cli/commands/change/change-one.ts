import { homedir } from "node:os";
import { actOf } from "../../../app/world/state/effect.ts";
import { checkUseOnce } from "../../../catalog/live/live-sessions.ts";
import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { defaultStateDir } from "../../../catalog/model/state-dir.ts";
import { type Noted, nameOf } from "../../../changes/engine/make-change.ts";
import { guard, guardAgain, type Shown, type Verdict } from "../../../changes/guard/guard.ts";
import { alsoOpen, whyNot } from "../../../changes/guard/guard-words.ts";
import type { ChangeRequest } from "../../../changes/kinds/kinds.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { CannotError, messageOf } from "../../../store/files/reason.ts";
import { capital, formatCounted, formatDateTime, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import type { Given } from "../../arguments/given.ts";
import type { Target } from "../../find/find-target.ts";
import { findTargets, remarkElsewhere } from "../../find/find-targets.ts";
import { EXIT } from "../../print/exit-code.ts";
import { jsonText } from "../../print/json.ts";
import { endWith, type Mistake } from "../../print/mistake.ts";
import { printJsonText, printPath, remark } from "../../print/output.ts";
import { ask } from "./ask.ts";
import { tell } from "./carry-out.ts";
import { type Engines, openEngines } from "./engines.ts";
import { stoppable } from "./stoppable.ts";

/** A change of one session that a command is to make. */
export interface OneChange {
	readonly effect: ChangeRequest;
	/** What there is to know before that, as sentences. */
	readonly about?: readonly string[];
	/** What the person is asked: "Rename it to “Lexer”". */
	readonly label: string;
	/** What `--json` prints besides the path and the message. */
	readonly told: (made: Noted) => object;
	/** What is printed on stdout without `--json`: the path of a session that was made. */
	readonly printed?: (made: Noted) => string | undefined;
}

/**
 * Changes the session that the first word names as the browser would, with a note for undo before and after; asks first.
 * `plan` says what is to be done, or why it cannot be. Returns the exit code.
 */
export async function changeOne(
	given: Given,
	plan: (target: Target, row: SessionRow) => Promise<OneChange | Mistake | { readonly nothing: string }>,
): Promise<number> {
	const found = await findTargets(given.words.slice(0, 1), given);
	if ("mistake" in found) return endWith(found);
	const [target] = found.targets;
	const engines = openEngines(found.sessionRoots);
	try {
		const row = await engines.row(target.path);
		const change = await plan(target, row);
		if ("mistake" in change) return endWith(change);
		if ("nothing" in change) {
			remark(change.nothing);
			return EXIT.nothing;
		}
		const { label, told, printed } = change;
		const { effect } = change;
		const { shown, doubt } = await lookBefore(effect, row, engines);
		const about = [factsOf(row), ...(change.about ?? []), ...doubt];
		const answer = await ask(
			{
				title: sessionTitle(row),
				body: about.map((text) => [span(sanitizeLine(text))]),
				items: [{ label, effect }, { label: "Cancel" }],
				index: doubt.length === 0 ? 0 : 1,
				danger: doubt.length > 0,
			},
			given.yes === true,
		);
		if ("code" in answer) return answer.code;
		await requireFree(answer.effect, shown, engines);
		const { result: made, code } = await stoppable(engines.terminal.work, engines.journal.make(answer.effect));
		if (given.json) {
			const { path } = target;
			await printJsonText(jsonText({ path, id: row.id, ...told(made), message: made.message.text }));
		}
		const path = given.json ? undefined : printed?.(made);
		if (path !== undefined) await printPath(path);
		const { text, tone } = made.message;
		const message = { text: made.entryId === undefined ? text : `${text}${await whoHasIt(row, engines)}`, tone };
		const exitCode = tell({ message, ...(code !== undefined && { code }) });
		if (made.undo !== undefined) remarkElsewhere(found);
		return exitCode;
	} catch (error) {
		const message = messageOf(error);
		return endWith({ mistake: message.includes(target.path) ? message : `${message}. Path: ${target.path}` });
	} finally {
		await engines.close();
	}
}

/**
 * What was seen of the session where a pi that has it speaks against the change, and that as sentences. Rejects with who has it
 * where it must not be made.
 */
async function lookBefore(request: ChangeRequest, row: SessionRow, engines: Engines) {
	if (request.type !== "forward") return { shown: undefined, doubt: [] };
	const verdict = guard(actOf(request), await lookAt(row, engines), row);
	if (verdict.decision === "refuse") throw refusal(request, row, verdict);
	const why = whyNot(verdict, Date.now());
	return {
		shown: { row, uses: verdict.uses },
		doubt: why === undefined ? [] : [`${capital(why)} A pi that has it open goes on where it is.`],
	};
}

/** Looks again when the question is answered. */
async function requireFree(request: ChangeRequest, shown: Shown | undefined, engines: Engines): Promise<void> {
	if (request.type !== "forward" || shown === undefined) return;
	const verdict = guardAgain(actOf(request), await lookAt(shown.row, engines), shown);
	if (verdict.decision !== "free") throw refusal(request, shown.row, verdict);
}

function refusal(request: ChangeRequest, row: SessionRow, verdict: Verdict): Error {
	return new CannotError(
		nameOf(request, () => sessionTitle(row)),
		new Error(whyNot(verdict, Date.now())),
	);
}

/** What there is to say of a running pi that has the session, and has not read the line that was appended. */
async function whoHasIt(row: SessionRow, engines: Engines): Promise<string> {
	return alsoOpen(guard("append", await lookAt(row, engines), row), Date.now());
}

/**
 * What is in use, as the browser sees it. All sessions are listed only where that can tell more: a pi that runs in the session's
 * directory and does not say which session it has.
 */
async function lookAt({ path, cwd }: SessionRow, { store }: Engines): Promise<LiveReport> {
	const report = checkUseOnce(defaultStateDir(process.env, homedir()), store.roots, [path]);
	return report.pis.some((pi) => pi.cwd === cwd && !pi.tells) ? store.look([path]) : report;
}

/** What a person knows a session by, besides its title. */
function factsOf({ path, messageCount, modified }: SessionRow): string {
	const when = formatDateTime(modified.getTime());
	return [formatCounted(messageCount, "message"), when, shortenHome(path, homedir())].filter(Boolean).join(", ");
}
