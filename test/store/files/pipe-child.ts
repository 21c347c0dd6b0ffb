/** Does everything that the store does with a session, to files that are pipes; prints how each attempt ended. */
import { join } from "node:path";
import * as actions from "../../../src/store/actions/session-actions.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { readSessionInfo } from "../../../src/store/read/list-sessions.ts";
import { loadEntriesFromFile } from "../../../src/store/read/load-file.ts";
import { findMostRecentSession, findSessionById } from "../../../src/store/read/read-header.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { resolveSessionDir } from "../../../src/store/read/session-dir.ts";
import { appendLines, migrateAndAppend } from "../../../src/store/write/append.ts";

const [dir = ""] = process.argv.slice(2);
const pipe = join(dir, "pipe.jsonl");

const attempts: Readonly<Record<string, () => unknown>> = {
	readSession: () => readSession(pipe),
	readSessionInfo: async () => (await readSessionInfo(pipe)).diagnostics.map(({ message }) => message),
	loadEntriesFromFile: () => loadEntriesFromFile(pipe),
	open: () => SessionManager.open(pipe),
	continueRecent: () => SessionManager.continueRecent("/home/ada", dir).getSessionFile() === pipe,
	findMostRecentSession: () => findMostRecentSession(dir),
	findSessionById: () => findSessionById(dir, "x") ?? null,
	list: async () => (await SessionManager.listAll(dir)).length,
	renameSession: () => actions.renameSession(pipe, "name"),
	labelEntry: () => actions.labelEntry(pipe, "a", "label"),
	branchSession: () => actions.branchSession(pipe, "a"),
	forkSession: () => actions.forkSession(pipe, "/home/ada", join(dir, "forks")),
	resumePoint: () => actions.resumePoint(pipe, "a"),
	appendLines: () => appendLines(pipe, ["{}"]),
	migrateAndAppend: () => migrateAndAppend(pipe, ["{}"], []),
	resolveSessionDir: () => resolveSessionDir({ env: {}, cwd: dir, home: dir }).problems.map(({ message }) => message),
};

const ended: Record<string, unknown> = {};
for (const [name, attempt] of Object.entries(attempts)) {
	try {
		ended[name] = await attempt();
	} catch (error) {
		ended[name] = error instanceof Error ? error.message : String(error);
	}
}
process.stdout.write(JSON.stringify(ended));
