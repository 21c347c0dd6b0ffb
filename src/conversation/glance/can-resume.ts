import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../../store/format/fields.ts";
import type { ContextEditEntry, SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { contextPath } from "../../store/tree/context.ts";
import { isDropped, isLeftOut } from "./context-use.ts";

/** Something about going on from an entry that one should know before. */
export interface ResumeReason {
	/**
	 * "fails": pi sends what providers refuse, so that nothing more can be said there. "note": pi goes on, but not quite as
	 * before.
	 */
	readonly severity: "fails" | "note";
	/** A sentence. Texts of the session in it are not cleaned yet. */
	readonly reason: string;
	/** The same in a few words. */
	readonly short: string;
	/** The entry that causes it. */
	readonly entryId?: string;
}

/**
 * What pi would send from an entry, read as providers read it. pi 1.5.2 answers a call without a result itself, but sends a
 * result whose call is not before it, and every answer from then on is an error (pi-ai/dist/api/transform-messages.js;
 * https://github.com/earendil-works/pi/issues/6558).
 */
export interface ResumeCheck {
	/** The entry up to which it is read. */
	readonly id: string | null;
	readonly calls: OpenCalls;
	/** The first thing that providers refuse: one is enough. */
	readonly failure: ResumeReason | undefined;
}

/** Reads all that the model gets at an entry. */
export function* checkPath(session: Session, id: string | null): Steps<ResumeCheck> {
	const { kept, after, edits } = yield* contextPath(session.tree.table.pathUp(id));
	const calls = new OpenCalls();
	let step = 0;
	for (const entries of [kept, after]) {
		for (const entry of entries) {
			if (step++ % ENTRIES_PER_STEP === 0) yield;
			const failure = isLeftOut(entry, edits) ? undefined : read(entry, calls, edits.get(entry.id));
			if (failure !== undefined) return { id, calls, failure };
		}
	}
	return { id, calls, failure: undefined };
}

/** More than that is not appended between two looks: then all is read anew. */
const MAX_APPENDED = 2000;

/**
 * The check with what follows its entry up to another; undefined where that does not simply follow. It takes the time that
 * those entries take, and the given one must not be used any more.
 */
export function extendCheck(check: ResumeCheck, session: Session, id: string | null): ResumeCheck | undefined {
	const appended: SessionEntry[] = [];
	for (const entry of session.tree.table.pathUp(id)) {
		if (entry.id === check.id) break;
		const changesContext = entry.type === "compaction" || entry.type === "context_edit";
		if (changesContext || appended.push(entry) === MAX_APPENDED) return undefined;
	}
	if ((appended.at(-1)?.parentId ?? id) !== check.id) return undefined;
	let { failure } = check;
	for (const entry of appended.reverse()) failure ??= read(entry, check.calls, undefined);
	return { id, calls: check.calls, failure };
}

/** What speaks against going on from where a check has ended, worst first. */
export function reasonsOf({ failure, calls }: ResumeCheck): readonly ResumeReason[] {
	if (failure !== undefined) return [failure];
	const count = calls.unanswered;
	if (count === 0) return [];
	const open = count === 1 ? "A call has no result" : `${count} calls have no result`;
	return [{ severity: "note", reason: `${open}; pi tells the model so.`, short: open.toLowerCase() }];
}

/** What makes it impossible to go on, if something does. */
export function failureIn(reasons: readonly ResumeReason[]): ResumeReason | undefined {
	return reasons.find(({ severity }) => severity === "fails");
}

/** What is said of any failure in a line. */
export const FAILS = "✗ pi cannot continue here";

function read(entry: SessionEntry, calls: OpenCalls, edit: ContextEditEntry | undefined): ResumeReason | undefined {
	const message = fieldsOf(fieldsOf(entry).message);
	if (entry.type === "message" && message.role === "toolResult") {
		const problem = calls.answer(message);
		const reason = `${problem} pi sends it as it is, and most providers then refuse to answer.`;
		return problem === undefined ? undefined : { severity: "fails", reason, short: FAILS, entryId: entry.id };
	}
	if (entry.type === "message" && message.role === "assistant") {
		calls.close();
		// pi does not send what was not finished, so that its calls are not there for any result.
		if (!isDropped(entry)) calls.open(edit === undefined ? message.content : fieldsOf(edit.replacement).content);
	} else if (isSaid(entry)) calls.close();
	return undefined;
}

/** Roles that pi sends as the person's (pi 1.5.2, core/messages.js). */
const SAID: ReadonlySet<unknown> = new Set(["user", "bashExecution", "custom", "branchSummary", "compactionSummary"]);

/** Whether the model gets the entry as something that was said to it, after which no more results are expected. */
function isSaid(entry: SessionEntry): boolean {
	const { message, summary } = fieldsOf(entry);
	const { role, excludeFromContext } = fieldsOf(message);
	switch (entry.type) {
		case "message":
			return SAID.has(role) && excludeFromContext !== true;
		case "custom_message":
			return true;
		case "branch_summary":
			return typeof summary === "string" && summary !== "";
		default:
			return false;
	}
}

/** UTF-16 units of a tool's name, which may be any text. */
const MAX_NAME = 40;

/** The calls that may be answered at some place of a context: those of the last answer, until something is said. */
class OpenCalls {
	readonly #open = new Set<string>();
	readonly #answered = new Set<string>();

	get unanswered(): number {
		return this.#open.size - this.#answered.size;
	}

	open(content: unknown): void {
		for (const block of listOf(content)) {
			const { type, id } = fieldsOf(block);
			if (type === "toolCall") this.#open.add(textOf(id));
		}
	}

	/** Adds a result; what is wrong with it, as a sentence, if something is. */
	answer({ toolCallId, toolName }: Fields): string | undefined {
		const id = textOf(toolCallId);
		const tool = textOf(toolName).slice(0, MAX_NAME) || "a tool";
		if (!this.#open.has(id)) return `The result of ${tool} has no call before it.`;
		if (this.#answered.has(id)) return `A call of ${tool} has two results.`;
		this.#answered.add(id);
		return undefined;
	}

	close(): void {
		this.#open.clear();
		this.#answered.clear();
	}
}
