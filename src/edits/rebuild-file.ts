import { roleOf } from "../conversation/entries/entry-kind.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCounted } from "../ui/text/format.ts";
import { either, type FileState, lost, NEVER_SEEN } from "./file-state.ts";
import { FileWatcher } from "./file-watcher.ts";

/** What a file held when an entry was written, as far as the session tells. */
export interface RebuiltFile extends Pick<FileState, "base" | "edits" | "commands"> {
	/** "exact": pi's tools left it so, and nothing else ran since. */
	readonly answer: "exact" | "candidates" | "unknown";
	/** One where the answer is exact; the texts that it may hold; none where it is unknown. */
	readonly texts: readonly string[];
	/** Why the answer is not exact; "" where it is. */
	readonly why: string;
}

/**
 * Rebuilds a file as of an entry: from the last time that all of it was seen, edit by edit. A disk has no branches, so what
 * another branch did before is in it; but an extension may have put back what was there. Where that makes a difference, both
 * are kept until something that was seen decides. `path`: absolute, as pi resolves it.
 */
export function rebuildFile(session: Session, path: string, entryId: string, home: string): RebuiltFile {
	const { parentOf } = session.tree;
	const watcher = new FileWatcher(path, session.header?.cwd ?? "", home);
	const states = new Map<string, FileState>();
	let disk = NEVER_SEEN;
	let previous: string | undefined;
	for (const entry of session.entries) {
		const parent = parentOf.get(entry.id);
		if (parent !== previous && previous !== undefined) {
			const there = (parent === undefined ? undefined : states.get(parent)) ?? NEVER_SEEN;
			const left = watcher.settle(disk);
			disk =
				left.texts.length > 0 && there.texts.length === 0 ? either(left, lost(there, PUT_BACK)) : either(left, there);
		}
		disk = next(watcher, disk, entry);
		states.set(entry.id, disk);
		previous = entry.id;
		if (entry.id === entryId) return answerOf(roleOf(entry) === "assistant" ? disk : watcher.peek(disk));
	}
	return answerOf(NEVER_SEEN);
}

const PUT_BACK = "with the branch before, it may have been put back to what it was, which is not known";

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
	if (texts.length === 0) return { ...facts, answer: "unknown", why: why ?? "nothing is known of it" };
	const doubts = [
		texts.length > 1 ? `there are ${texts.length} texts that fit` : "",
		commands > 0 ? `${formatCounted(commands, "command")} ran since all of it was seen` : "",
		why ?? "",
	].filter((doubt) => doubt !== "");
	return { ...facts, answer: doubts.length === 0 ? "exact" : "candidates", why: doubts.join("; ") };
}
