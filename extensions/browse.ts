import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { HostInfo } from "../src/app/model/choice.ts";
import { act } from "./act.ts";
import { findProgram, sessionDirArguments } from "./find-program.ts";
import { describeHost, openSession } from "./host-info.ts";
import { answerRequest } from "./requests.ts";
import { runBrowser } from "./run-browser.ts";
import { withTerminal } from "./with-terminal.ts";

/** What the browser shows first. */
export type Request = { readonly kind: "tree" } | { readonly kind: "list"; readonly query: string };

let isOpen = false;

/** Runs the browser in pi's terminal on the open session, then does what was chosen there. Says in pi what is in the way. */
export async function browse(pi: ExtensionAPI, ctx: ExtensionCommandContext, request: Request): Promise<void> {
	const { ui } = ctx;
	if (ctx.mode !== "tui") {
		ui.notify("/grove draws on the terminal, and this pi does not: start pi without --mode and -p.", "warning");
		return;
	}
	// A key may be pressed twice before pi has handled it once.
	if (isOpen) return;
	isOpen = true;
	try {
		const program = await findProgram();
		const host = describeHost(ctx);
		if (request.kind === "tree" && host.open.path === undefined) {
			ui.notify("This session has no file yet, so there is no tree: pi writes it with the first prompt.", "warning");
			return;
		}
		const end = await withTerminal(ui, () =>
			runBrowser({
				command: [...program, ...argumentsFor(request, host)],
				cwd: existsSync(ctx.cwd) ? ctx.cwd : process.cwd(),
				host,
				now: () => ({ busy: !ctx.isIdle(), open: openSession(ctx) }),
				answer: (asked) => answerRequest(pi, ctx, asked),
			}),
		);
		if (end.problem !== undefined) ui.notify(end.problem, "error");
		if (end.choice !== undefined) {
			const skipsSummary = pi.getSettings?.().branchSummary?.skipPrompt === true;
			await act(end.choice, ctx, { skipsSummary, wasToldBusy: end.wasToldBusy });
		}
	} catch (error) {
		// `ctx` may be of a session that is gone by now; its way to speak is pi's own.
		ui.notify(`pi-grove: ${error instanceof Error ? error.message : String(error)}`, "error");
	} finally {
		isOpen = false;
	}
}

function argumentsFor(request: Request, { open }: HostInfo): readonly string[] {
	const where = sessionDirArguments();
	if (request.kind === "tree") return [...where, "--", open.path ?? ""];
	return request.query === "" ? where : [...where, "--query", request.query];
}
