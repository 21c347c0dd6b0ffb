import { homedir } from "node:os";
import type { ChangeEffect } from "../app/effects/change-session.ts";
import { makeChange, type Noted } from "../app/effects/noted-change.ts";
import { messageOf } from "../app/effects/reason.ts";
import { sessionTitle } from "../app/list/draw-row.ts";
import { formatCounted, formatDateTime, shortenHome } from "../app/text/format.ts";
import { sanitizeLine } from "../app/text/sanitize.ts";
import { span } from "../app/text/span.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { ask } from "./ask.ts";
import { tell } from "./carry-out.ts";
import { openEngines } from "./engines.ts";
import { EXIT } from "./exit-code.ts";
import type { Target } from "./find-target.ts";
import { findTargets, remarkElsewhere } from "./find-targets.ts";
import type { Given } from "./given.ts";
import { jsonText } from "./json.ts";
import { endWith, type Mistake } from "./mistake.ts";
import { printJsonText, printPath, remark } from "./output.ts";
import { stoppable } from "./stoppable.ts";

/** A change of one session that a command is to make. */
export interface OneChange {
	readonly effect: ChangeEffect;
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
		const { effect, label, about, told, printed } = change;
		const answer = await ask(
			{
				title: sessionTitle(row),
				body: [factsOf(row), ...(about ?? [])].map((text) => [span(sanitizeLine(text))]),
				items: [{ label, effect }, { label: "Cancel" }],
				index: 0,
				danger: false,
			},
			given.yes === true,
		);
		if ("code" in answer) return answer.code;
		const { result: made, code } = await stoppable(engines.tools.work, makeChange(answer.effect, engines.tools));
		if (given.json) {
			const { path } = target;
			await printJsonText(jsonText({ path, id: row.id, ...told(made), message: made.message.text }));
		}
		const path = given.json ? undefined : printed?.(made);
		if (path !== undefined) await printPath(path);
		const exitCode = tell({ message: made.message, ...(code !== undefined && { code }) });
		if (made.undo !== undefined) remarkElsewhere(found);
		return exitCode;
	} catch (error) {
		const message = messageOf(error);
		return endWith({ mistake: message.includes(target.path) ? message : `${message}. Path: ${target.path}` });
	} finally {
		await engines.close();
	}
}

/** What a person knows a session by, besides its title. */
function factsOf({ path, messageCount, modified }: SessionRow): string {
	const when = formatDateTime(modified.getTime());
	return [formatCounted(messageCount, "message"), when, shortenHome(path, homedir())].filter(Boolean).join(", ");
}
