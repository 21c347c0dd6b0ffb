import { execFile } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { sessionRewind } from "../../src/conversation/entries/leaf.ts";
import { forwardLeaf, restoreLeaf } from "../../src/store/actions/session-actions.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { turns } from "../support/rewound-session.ts";
import { header, lines } from "../support/session-builder.ts";
import { tempDir } from "../support/temp-dir.ts";
import { ModelServer } from "./model-server.ts";
import { buildSessionContext, SessionManager } from "./pi.ts";
import { PI_PROGRAM } from "./pi-program.ts";

/** A session of twelve turns that one pi has gone on with while another one, which knew three, gave it a name. */
function movedByStaleWindow(dir: string): string {
	const path = join(dir, "session.jsonl");
	writeFileSync(path, lines(header({ id: "0198aaaa-0000-7000-8000-000000000001", cwd: dir }), ...turns(3)));
	const stale = SessionManager.open(path);
	writeFileSync(path, lines(header({ id: "0198aaaa-0000-7000-8000-000000000001", cwd: dir }), ...turns(12)));
	stale.appendSessionInfo("Named by the other window");
	return path;
}

/** The last thing that pi knows of the conversation when it opens the session. */
function lastKnown(path: string): string {
	const manager = SessionManager.open(path);
	const { messages } = buildSessionContext(manager.getEntries(), manager.getLeafId());
	return JSON.stringify(messages.at(-1));
}

test("pi continues from the middle, after the repair from the end, after its undo from the middle", async () => {
	const path = movedByStaleWindow(tempDir());
	expect(lastKnown(path)).toContain("Answer 3");
	const rewound = sessionRewind(await readSession(path));
	expect(rewound).toMatchObject({ turn: 3, turns: 12, by: "session_info" });
	const { leafId } = forwardLeaf(path, rewound?.endId ?? "");
	expect(lastKnown(path)).toContain("Answer 12");
	expect(SessionManager.open(path).getSessionName()).toBe("Named by the other window");
	restoreLeaf(path, leafId);
	expect(lastKnown(path)).toContain("Answer 3");
});

test("what pi's program sends to the model: three turns before the repair, all twelve after it", async () => {
	const server = new ModelServer();
	onTestFinished(() => server.stop());
	const dir = tempDir();
	const agentDir = join(dir, "agent");
	await server.start(agentDir);
	const sent = async (path: string): Promise<string> => {
		const copy = join(dir, `copy-${server.requests.length}.jsonl`);
		copyFileSync(path, copy);
		const env = { ...process.env, HOME: dir, PI_CODING_AGENT_DIR: agentDir, PI_OFFLINE: "1" };
		const args = [PI_PROGRAM, "--session", copy, "--print", "Go on"];
		const running = promisify(execFile)(process.execPath, args, { cwd: dir, env });
		running.child.stdin?.end();
		await running;
		return server.requests.at(-1) ?? "";
	};
	const path = movedByStaleWindow(dir);
	const before = await sent(path);
	expect(before).toContain("Answer 3");
	expect(before).not.toContain("Answer 12");
	const { leafId } = forwardLeaf(path, sessionRewind(await readSession(path))?.endId ?? "");
	expect(await sent(path)).toContain("Answer 12");
	restoreLeaf(path, leafId);
	expect(await sent(path)).not.toContain("Answer 12");
});
