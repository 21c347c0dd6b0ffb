import { homedir } from "node:os";
import { roleOf } from "../conversation/entries/entry-kind.ts";
import { ENTRIES_PER_STEP, runToEnd, type Steps } from "../shared/steps.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCounted } from "../ui/text/format.ts";
import { either, type FileState, lost, NEVER_SEEN } from "./file-state.ts";
import { FileWatcher } from "./file-watcher.ts";
import type { EditedFile } from "./session-files.ts";

/** The content of a file when an entry was written, as far as the session shows. */
export interface RebuiltFile extends Pick<FileState, "base" | "edits" | "commands"> {
	/** "exact": pi's tools left it like that, and nothing else has run since. */
	readonly answer: "exact" | "candidates" | "unknown";
	/** One text if the answer is exact, the possible texts if there are candidates, none if it is unknown. */
	readonly texts: readonly string[];
	/** Why the answer is not exact; "" if it is. */
	readonly why: string;
}

/**
 * Rebuilds a file as of an entry: from the last time that its whole content was seen, edit by edit. A disk has no branches, so
 * the file has the changes of other branches before; but an extension may have restored it. If that makes a difference, both
 * states are kept until something that was seen decides. `path`: absolute, as pi resolves it.
 */
export function rebuildFile(session: Session, path: string, entryId: string, home = homedir()): RebuiltFile {
	return runToEnd(rebuildSteps(session, path, entryId, home));
}

/** The same in steps. */
export function* rebuildSteps(session: Session, path: string, entryId: string, home: string): Steps<RebuiltFile> {
	const { parentOf } = session.tree;
	const watcher = new FileWatcher(path, session.header?.cwd ?? "", home);
	const states = new Map<string, FileState>();
	let disk = NEVER_SEEN;
	let previous: string | undefined;
	for (const [index, entry] of session.entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const parent = parentOf.get(entry.id);
		if (parent !== previous && previous !== undefined) {
			const there = (parent === undefined ? undefined : states.get(parent)) ?? NEVER_SEEN;
			const settled = watcher.settle(disk);
			disk =
				settled.texts.length > 0 && there.texts.length === 0
					? either(settled, lost(there, PUT_BACK))
					: either(settled, there);
		}
		disk = next(watcher, disk, entry);
		states.set(entry.id, disk);
		previous = entry.id;
		if (entry.id === entryId) return answerOf(roleOf(entry) === "assistant" ? disk : watcher.peek(disk));
	}
	return answerOf(NEVER_SEEN);
}

const PUT_BACK = "when the branch before was left, it may have been restored to a state that is not known";

function next(watcher: FileWatcher, state: FileState, entry: SessionEntry): FileState {
	switch (roleOf(entry)) {
		case "assistant":
			return watcher.call(watcher.settle(state), entry);
		case "toolResult":
			return watcher.result(state, entry);
		case "user":
			return watcher.settle(state);
		case "bashExecution":
			return { ...watcher.settle(state), commands: state.commands + 1 };
		default:
			return state;
	}
}

function answerOf({ texts, why, commands, base, edits }: FileState): RebuiltFile {
	const facts = { texts, commands, base, edits };
	if (texts.length === 0) return { ...facts, answer: "unknown", why: why ?? "nothing is known about it" };
	const doubts = [
		texts.length > 1 ? `${texts.length} texts are possible` : "",
		commands > 0 ? `${formatCounted(commands, "command")} ran since it was last fully seen` : "",
		why ?? "",
	].filter((doubt) => doubt !== "");
	return { ...facts, answer: doubts.length === 0 ? "exact" : "candidates", why: doubts.join("; ") };
}

/** A file before the first and after the last edit of a session, or why that is not known. */
export type SummedChange =
	| {
			readonly before: string;
			readonly after: string;
			/** Why that may not be all; "" if pi's tools show everything in between. */
			readonly doubt: string;
	  }
	| { readonly why: string };

/** What all edits of a file come to, in steps. `home`: the person's home directory. */
export function* sumChange(session: Session, { path, edits }: EditedFile, home: string): Steps<SummedChange> {
	const [first, last] = [edits[0], edits.at(-1)];
	const call = session.tree.parentOf.get(first?.entryId ?? "");
	if (first === undefined || last === undefined || call === undefined) return { why: "its first edit has no place" };
	const stateAfter = yield* rebuildSteps(session, path, last.entryId, home);
	const [text, other] = stateAfter.texts;
	if (text === undefined || other !== undefined) return { why: stateAfter.why };
	const stateBefore = yield* rebuildSteps(session, path, call, home);
	const [old] = stateBefore.texts;
	if (stateBefore.texts.length > 1 || (old === undefined && first.tool === "edit")) return { why: stateBefore.why };
	const unseen = old === undefined ? "what the file held before it was written is not known" : stateBefore.why;
	return { before: old ?? "", after: text, doubt: unseen || stateAfter.why };
}
