import { randomUUID } from "node:crypto";
import { basename } from "../../shared/paths.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import type { Answer } from "../answer.ts";
import { isAlwaysFree, type ShownSession } from "../guard/guard.ts";
import { requireFree } from "../guard/guard-words.ts";
import { kindOfSessions, madeOf, type SessionsRequest } from "../kinds/kinds.ts";
import type { NotedChange } from "../kinds/sessions-kind.ts";
import { CannotError, listFailures } from "../reason.ts";
import { sessionsOf } from "./depends.ts";
import { changeEach, describeOutcome } from "./each-session.ts";
import type { ChangesTools } from "./tools.ts";

/**
 * Changes sessions, one after the other, as one step for undo. Those that fail, or are in use by now, are reported with the reason, and
 * the others are still changed. The person can stop it between two sessions. Rejects if all fail.
 */
export async function changeSessions({ change, sessions }: SessionsRequest, tools: ChangesTools): Promise<Answer> {
	const kind = kindOfSessions(change);
	const { home } = tools;
	const nameOf = ({ row: { path } }: ShownSession): string => quote(tools.titleOf(path) ?? basename(path));
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
			async one(shown, makeOne, checkUse) {
				if (!isAlwaysFree(kind.act)) requireFree(kind.act, await checkUse([shown.row.path]), shown, tools.clock());
				return kind.make(change, shown, { ...tools, makeOne, takeBack: (made) => takeBack(made, tools) });
			},
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
	const past = changed === 0 ? "Nothing was changed" : words.past;
	const { undoing } = words;
	return {
		type: "done",
		message: describeOutcome(outcome, { changed, done: past, left: "unchanged", notes, made: done, undoing }),
	};
}

async function takeBack({ undo, id }: NotedChange, tools: ChangesTools): Promise<void> {
	if (undo === undefined || id === undefined) return;
	const change = { plan: undefined, undo, what: "", receipt: undefined };
	try {
		await tools.journal.undone(id, await madeOf(change).kind.takeBack(undo, tools));
	} catch {
		// It stays as it is, in the list and in the journal.
	}
	tools.changed(sessionsOf(change));
}
