import { existsSync } from "node:fs";
import { SessionManager as OurManager } from "../../src/index.ts";
import type { Operation, Ref } from "./operations.ts";
import { SessionManager as PiManager } from "./pi.ts";

/** The methods that are compared, as both classes have them. */
export type Manager = OurManager | PiManager;

/** One side of the comparison: pi or pi-grove. */
export interface Side {
	manager: Manager;
	/** Ids of the entries made or found, in order. */
	ids: string[];
	/** All ids so far, in order: a summary may name an entry that was not copied. */
	readonly history: Set<string>;
	readonly open: (path: string) => Manager;
}

/** pi, on a new session in a directory of its own. */
export function piSide(cwd: string, dir: string | undefined): Side {
	const manager = dir === undefined ? PiManager.inMemory(cwd) : PiManager.create(cwd, dir);
	return { manager, ids: [], history: new Set(), open: (path) => PiManager.open(path) };
}

/** pi-grove, the same way. */
export function ourSide(cwd: string, dir: string | undefined): Side {
	const manager = dir === undefined ? OurManager.inMemory(cwd) : OurManager.create(cwd, dir);
	return { manager, ids: [], history: new Set(), open: (path) => OurManager.open(path) };
}

/** Runs the operation; returns its result, ids as they are, or "refused" when it threw. */
export function apply(side: Side, operation: Operation): unknown {
	// Both classes have these methods; types.ts checks that their parameter types agree.
	const manager = side.manager as OurManager;
	const id = (ref: Ref) =>
		ref === "missing" || side.ids.length === 0 ? "no-such-entry" : (side.ids[ref % side.ids.length] ?? "");
	const orNull = (ref: Ref | null) => (ref === null ? null : id(ref));
	const call = (): unknown => {
		switch (operation.do) {
			case "message":
				return manager.appendMessage(structuredClone(operation.message) as never);
			case "thinking":
				return manager.appendThinkingLevelChange(operation.level);
			case "model":
				return manager.appendModelChange(operation.provider, operation.model);
			case "usage":
				return manager.appendUsage(operation.kind, "anthropic", "claude", usage, operation.note).id;
			case "compaction": {
				const { summary, firstKept, details, fromHook } = operation;
				return manager.appendCompaction(summary, orNull(firstKept), 1234, details, fromHook);
			}
			case "custom":
				return manager.appendCustomEntry("todo", operation.data);
			case "name":
				return manager.appendSessionInfo(operation.name);
			case "custom-message": {
				const { content, display, details } = operation;
				return manager.appendCustomMessageEntry("todo", content as never, display, details);
			}
			case "edit":
				return manager.appendContextEdit(id(operation.target), operation.replacement as never);
			case "label":
				return manager.appendLabelChange(id(operation.target), operation.label);
			case "branch":
				return manager.branch(id(operation.target));
			case "reset":
				return manager.resetLeaf();
			case "branch-with-summary":
				return manager.branchWithSummary(orNull(operation.target), operation.summary, { files: [] }, false, usage);
			case "branched-session":
				return manager.createBranchedSession(id(operation.target)) !== undefined;
			case "new-session":
				return (
					manager.newSession(operation.parent === undefined ? {} : { parentSession: operation.parent }) !== undefined
				);
			case "reopen":
				return undefined;
		}
	};
	let result: unknown;
	try {
		result = call();
	} catch {
		// Only that both refuse is compared; the messages differ.
		result = "refused";
	}
	noteIds(side);
	return result;
}

/** Records the ids of the present entries. */
export function noteIds(side: Side): void {
	side.ids = side.manager.getEntries().map((entry) => entry.id);
	for (const id of side.ids) side.history.add(id);
}

/** Opens the session's file again. */
export function reopen(side: Side): void {
	const path = side.manager.getSessionFile();
	if (path === undefined || !existsSync(path)) throw new Error(`There is no file to open: ${path}`);
	side.manager = side.open(path);
}

const usage = {
	input: 1,
	output: 2,
	cacheRead: 3,
	cacheWrite: 4,
	totalTokens: 10,
	cost: { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total: 0.3 },
};
