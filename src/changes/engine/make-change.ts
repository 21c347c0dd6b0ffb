import { basename } from "../../shared/paths.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { type Message, UNDOES } from "../answer.ts";
import type { Group } from "../kinds/change.ts";
import type { ChangeResult } from "../kinds/kind.ts";
import { type ChangeRequest, kindOfRequest, type Undo } from "../kinds/kinds.ts";
import type { NotedChange } from "../kinds/sessions-kind.ts";
import { CannotError, reasonSentence } from "../reason.ts";
import { sessionsOf } from "./depends.ts";
import type { ChangesTools } from "./tools.ts";

/**
 * Makes a change between two lines of the journal: its plan before, and after it how to undo it, or that nothing was done.
 * `group`: the group that it belongs to; `of`: as in `Change`. Rejects with a `CannotError`: what could not be done, to which
 * session, and why.
 */
export async function makeChange(
	request: ChangeRequest,
	tools: ChangesTools,
	group?: Group,
	of?: string,
): Promise<NotedChange> {
	const kind = kindOfRequest(request);
	const path = kind.pathOf(request);
	const title = tools.titleOf(path) ?? basename(path);
	const what = kind.nameOf(request, title);
	try {
		const text = kind.sayIfUnneeded?.(request, tools);
		if (text !== undefined) return { text, message: { text, tone: "muted" }, unnoted: undefined, id: undefined };
		const plan = await kind.begin(request, tools);
		const id = await tools.journal.begin(what, plan, group, of);
		const changed = await make(id, () => kind.make(request, plan, title, tools), tools);
		const { text: done, undo, entryId } = changed;
		if (undo === undefined) {
			await discard(id, tools);
			return { ...changed, message: { text: done, tone: "muted" }, unnoted: undefined, id };
		}
		tools.changed(sessionsOf({ plan, undo }));
		const unnoted = await tools.journal.done(id, undo, entryId).catch((error: unknown) => error);
		return { ...changed, message: doneMessage(done, unnoted, changed.undoing ?? UNDOES), unnoted, id };
	} catch (error) {
		throw new CannotError(what, error);
	}
}

async function make(
	id: string,
	work: () => ChangeResult<Undo> | Promise<ChangeResult<Undo>>,
	tools: ChangesTools,
): Promise<ChangeResult<Undo>> {
	try {
		return await work();
	} catch (error) {
		// A change that failed half-way may have left anything behind.
		tools.refresh();
		// If the thread died, the next undo finds out from the files what was done.
		if (errorCode(error) !== "worker-ended") await discard(id, tools);
		throw error;
	}
}

/** Records that nothing was done. If that fails, the next undo finds it out from the files. */
function discard(id: string, { journal }: ChangesTools): Promise<void> {
	return journal.discard(id).catch(() => undefined);
}

/** What was done, with a warning if the journal could not record it. */
function doneMessage(done: string, unnoted: unknown, undoing: string): Message {
	if (unnoted === undefined) return { text: done, tone: "text", ...(undoing !== "" && { undoing }) };
	return { text: `${done}; undo may not know of it, since ${reasonSentence(unnoted)}`, tone: "warning" };
}
