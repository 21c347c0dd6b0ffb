import { existsSync } from "node:fs";
import {
	type ExtensionAPI,
	type ExtensionCommandContext,
	type ExtensionContext,
	VERSION,
} from "@earendil-works/pi-coding-agent";
import * as piTui from "@earendil-works/pi-tui";
import type { HostInfo, HostPage, OpenInHost } from "../src/app/world/state/choice.ts";
import { act } from "./act.ts";
import { findProgram, sessionDirArguments } from "./grove-program.ts";
import type { OpenRequest } from "./link.ts";
import { type BrowserEnd, runBrowser } from "./run-browser.ts";
import { withTerminal } from "./with-terminal.ts";

export type Request =
	| { readonly kind: "open"; readonly page: "tree" | HostPage }
	| { readonly kind: "list"; readonly query: string };

interface RunningBrowser {
	readonly ending: AbortController;
	readonly end: Promise<BrowserEnd | undefined>;
}

let browsing: RunningBrowser | undefined;

/** Runs the browser in pi's terminal on the open session, then carries out what was chosen. Errors are shown in pi. */
export async function browse(pi: ExtensionAPI, ctx: ExtensionCommandContext, request: Request): Promise<void> {
	if (ctx.mode !== "tui") throw new Error("/grove draws on the terminal, and this pi does not.");
	// A key may be pressed twice before pi has handled the first press.
	if (browsing !== undefined) return;
	const { ui } = ctx;
	try {
		const end = await openOne(pi, ctx, request);
		if (end?.problem !== undefined) ui.notify(end.problem, "error");
		if (end?.choice !== undefined) {
			const skipsSummary = pi.getSettings?.().branchSummary?.skipPrompt === true;
			await act(end.choice, ctx, { skipsSummary, wasToldBusy: end.wasToldBusy });
		}
	} catch (error) {
		// `ctx` may be of a session that was left meanwhile; `ui` is pi's own and still works.
		ui.notify(`pi-grove: ${error instanceof Error ? error.message : String(error)}`, "error");
	}
}

/** Opens the browser, and keeps it in `browsing` as long as it is open. */
async function openOne(
	pi: ExtensionAPI,
	ctx: ExtensionCommandContext,
	request: Request,
): Promise<BrowserEnd | undefined> {
	const ending = new AbortController();
	browsing = { ending, end: open(pi, ctx, request, ending.signal) };
	try {
		return await browsing.end;
	} finally {
		browsing = undefined;
	}
}

/** Ends the browser if it is open, and waits until pi has its terminal again. */
export async function closeBrowser(): Promise<void> {
	browsing?.ending.abort();
	await browsing?.end.catch(() => undefined);
}

/** Undefined if there is nothing to open. */
async function open(
	pi: ExtensionAPI,
	ctx: ExtensionCommandContext,
	request: Request,
	ended: AbortSignal,
): Promise<BrowserEnd | undefined> {
	const program = await findProgram();
	const host = describeHost(ctx, request);
	if (request.kind === "open" && host.open.path === undefined) {
		const text = "This session has no file yet, so there is nothing to show: pi writes it with the first prompt.";
		ctx.ui.notify(text, "warning");
		return undefined;
	}
	return withTerminal(ctx.ui, () =>
		runBrowser({
			command: [...program, ...argumentsFor(request, host)],
			cwd: existsSync(ctx.cwd) ? ctx.cwd : process.cwd(),
			host,
			now: () => ({ busy: !ctx.isIdle(), open: openSession(ctx) }),
			answer: (change) => carryOut(pi, ctx, change),
			ended,
		}),
	);
}

/** Makes the changes of the open session that only pi may write; returns why one cannot be made. */
function carryOut(pi: ExtensionAPI, ctx: ExtensionContext, request: OpenRequest): string | undefined {
	try {
		if (request.action === "rename") {
			pi.setSessionName(request.name);
			return undefined;
		}
		if (ctx.sessionManager.getEntry(request.entryId) === undefined) return "pi has no such entry in its session";
		pi.setLabel(request.entryId, request.label ?? undefined);
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

function argumentsFor(request: Request, { open }: HostInfo): readonly string[] {
	const where = sessionDirArguments();
	if (request.kind === "open") return [...where, "--", open.path ?? ""];
	return request.query === "" ? where : [...where, "--query", request.query];
}

/** The descriptor for the connection between browser and pi: the first after stdin, stdout and stderr. */
const HOST_FD = 3;

function describeHost(ctx: ExtensionContext, request: Request): HostInfo {
	const { colors, appearance } = ctx.ui.theme;
	return {
		protocol: 1,
		fd: HOST_FD,
		pi: VERSION,
		open: openSession(ctx),
		busy: !ctx.isIdle(),
		...(request.kind === "open" && request.page !== "tree" && { opens: request.page }),
		// Since pi 0.99.
		...(colors !== undefined && appearance !== undefined && { theme: { colors: plain(colors), appearance } }),
	};
}

/** The session that is open in pi, in its current state. */
function openSession({ cwd, sessionManager }: ExtensionContext): OpenInHost {
	const path = sessionManager.getSessionFile();
	return {
		id: sessionManager.getSessionId(),
		cwd,
		leaf: sessionManager.getLeafId(),
		// pi has a path before the file exists.
		...(path !== undefined && existsSync(path) && { path }),
	};
}

/** Exists since pi 0.99, like the colors of a theme. */
const { colorToHex } = piTui as unknown as { readonly colorToHex?: (color: PiColor) => string };

/** A color of a theme (pi-tui's `Color`): one of the terminal's 256, or in one of several color spaces. */
interface PiColor {
	readonly kind: string;
	readonly index?: number;
}

/** pi's colors in the form of its themes: "#rrggbb", or the number of one of the terminal's 256. */
function plain(colors: Readonly<Record<string, PiColor>>): Record<string, string | number> {
	const entries = Object.entries(colors).flatMap(([token, color]) => {
		const value = color.kind === "indexed" ? color.index : colorToHex?.(color);
		return value === undefined ? [] : [[token, value] as const];
	});
	return Object.fromEntries(entries);
}
