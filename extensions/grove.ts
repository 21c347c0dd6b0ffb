/**
 * The pi package: the browser of all sessions inside pi, as `/grove`, as a key of the person's choice, and as `pi --grove`.
 * Works with pi 0.87.1 to 1.6.0; `test/compat/in-pi.test.ts` tries it with each of them.
 */
import { type ExtensionAPI, getAgentDir } from "@earendil-works/pi-coding-agent";
import type { KeyId } from "@earendil-works/pi-tui";
import { browse, closeBrowser, type Request } from "./browse.ts";
import { registerHistoryTool } from "./history-tool.ts";
import { noteSessions } from "./note-session.ts";
import { readOpenKeys } from "./open-keys.ts";

/** Time that pi takes at its start to query the terminal for its colors and to draw the session. */
const STARTED_MS = 150;

export default function grove(pi: ExtensionAPI): void {
	pi.registerCommand("grove", {
		description:
			"Browse all sessions; `/grove tree` opens this one, `/grove changes` what it changed, `/grove revert` takes the last turn back, `/grove QUERY` searches",
		// No completion of arguments: while one is shown, enter accepts it instead of sending what was typed.
		handler: (typed, ctx) => browse(pi, ctx, requested(typed)),
	});

	registerHistoryTool(pi);

	const open = (): void => pi.sendUserMessage("/grove", { expandPromptTemplates: true });
	const { keys, problem } = readOpenKeys(getAgentDir());
	for (const key of keys) {
		// A key handler has no context that may change sessions, so it calls the command, which leaves the editor alone.
		pi.registerShortcut(key as KeyId, { description: "Browse all sessions (pi-grove)", handler: open });
	}

	pi.registerFlag("grove", { description: "Start in the browser of all sessions", type: "boolean" });
	pi.on("session_start", ({ reason }, ctx) => {
		if (reason !== "startup" || ctx.mode !== "tui") return;
		if (problem !== undefined) ctx.ui.notify(problem, "warning");
		if (pi.getFlag("grove") !== true) return;
		const openWhenIdle = (): void => {
			// `ctx` throws if the person has opened another session by now, and an uncaught error ends pi.
			try {
				if (ctx.isIdle()) open();
				else setTimeout(openWhenIdle, STARTED_MS);
			} catch {}
		};
		setTimeout(openWhenIdle, STARTED_MS);
	});
	pi.on("session_shutdown", closeBrowser);
	noteSessions(pi);
}

function requested(typed: string): Request {
	const query = typed.trim();
	if (query === "tree" || query === "changes" || query === "revert") return { kind: "open", page: query };
	return { kind: "list", query };
}
