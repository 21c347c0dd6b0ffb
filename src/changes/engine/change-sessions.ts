import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import type { Answer } from "../answer.ts";
import type { Shown } from "../guard/guard.ts";
import { kindOfSessions, madeOf, type SessionsRequest } from "../kinds/kinds.ts";
import type { Noted } from "../kinds/sessions-kind.ts";
import { CannotError, listFailures } from "../reason.ts";
import { sessionsOf } from "./depends.ts";
import { changeEach, describeOutcome, type EachTools } from "./each-session.ts";

/** What changing sessions needs of the world outside. */
export interface SessionsTools extends EachTools {
	/** The person's home directory. */
	readonly home: string;
}

/**
 * Changes sessions, one after the other, as one step for undo. Those that fail, or are in use by now, are reported with the reason, and
 * the others are still changed. The person can stop it between two sessions. Rejects if all fail.
 */
export async function changeSessions({ change, sessions }: SessionsRequest, tools: SessionsTools): Promise<Answer> {
	const kind = kindOfSessions(change);
	const { home } = tools;
	const nameOf = ({ row: { path } }: Shown): string => quote(tools.titleOf(path) ?? basename(path));
	const [first] = sessions;
	const count = sessions.length;
	const whom = first !== undefined && count === 1 ? nameOf(first) : formatCounted(count, "session");
	const { now: what, doing } = kind.words(change, whom, { count, home });
	const outcome = await changeEach(
		{
			items: sessions,
			group: count > 1 || kind.isComposite === true ? { id: randomUUID(), what, count } : undefined,
			doing,
			nameOf,
			pathOf: ({ row }) => row.path,
			guard: (shown) => ({ act: kind.act, shown }),
			one: (shown, makeOne) =>
				kind.make(change, shown, { ...tools, makeOne, takeBack: (made) => takeBack(made, tools) }),
		},
		tools,
	);
	const { done, failures, left } = outcome;
	const [failed] = failures;
	if (failed !== undefined && done.length + left === 0)
		throw new CannotError(what, count === 1 ? failed.error : listFailures(failures));
	const [only] = done;
	// The kind of the change itself says more of one.
	if (only !== undefined && count === 1 && kind.isComposite !== true) return { type: "done", message: only.message };
	const changed = done.filter(({ undo }) => undo !== undefined).length;
	const same = done.length - changed;
	const subject = count === 1 ? whom : formatCounted(changed, "session");
	const words = kind.words(change, subject, { count: changed, home });
	const notes = same === 0 ? [] : [`${formatCount(same)} ${words.same ?? "needed no change"}`];
	const said = changed === 0 ? "Nothing was changed" : words.past;
	const { text, tone } = describeOutcome(outcome, { changed, done: said, left: "unchanged", notes, made: done });
	const undo = changed > 0 && words.undo !== undefined ? ` (${words.undo})` : "";
	return { type: "done", message: { text: `${text}${undo}`, tone } };
}

async function takeBack({ undo, id }: Noted, tools: SessionsTools): Promise<void> {
	if (undo === undefined || id === undefined) return;
	const made = { plan: undefined, undo, what: "", receipt: undefined };
	try {
		await tools.journal.undone(id, await madeOf(made).kind.takeBack(undo, tools));
	} catch {
		// It stays as it is, in the list and in the journal.
	}
	tools.changed(sessionsOf(made));
}
