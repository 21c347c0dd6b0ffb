import { accessSync, closeSync, constants, readSync, realpathSync, statSync } from "node:fs";
import type { ExtensionCommandContext, ExtensionUIContext } from "@earendil-works/pi-coding-agent";
import type { FinalChoice } from "../src/app/world/state/choice.ts";
import { openRegular } from "./read-file.ts";
import { clean } from "./text.ts";

interface Manner {
	/** The person's settings say that pi does not ask for branch summaries. */
	readonly skipsSummary: boolean;
	/** The browser knew of the running turn, and said that the choice stops it. */
	readonly wasToldBusy: boolean;
}

type ChoiceOf<Action extends FinalChoice["action"]> = Extract<FinalChoice, { readonly action: Action }>;

/** Carries out in pi what was chosen in the browser. Whatever could end pi is checked before. */
export async function act(choice: FinalChoice, ctx: ExtensionCommandContext, manner: Manner): Promise<void> {
	switch (choice.action) {
		case "edit":
			return putIntoEditor(ctx.ui, choice.text);
		case "reference":
			return paste(ctx.ui, choice.text);
		case "resume":
			return resume(choice, ctx, manner);
		case "goto":
			if (isOpenHere(choice.path, ctx)) await goTo(choice.entryId, ctx, manner);
			return;
		case "fork":
			return fork(choice, ctx, manner);
		case "new":
			// pi asks nothing and has nothing to check: it only leaves the open session.
			if (await mayStop(ctx, manner))
				await ctx.newSession({ withSession: async (there) => putIntoEditor(there.ui, choice.text) });
			return;
	}
}

async function resume(choice: ChoiceOf<"resume">, ctx: ExtensionCommandContext, manner: Manner): Promise<void> {
	const { path, entryId, text } = choice;
	const open = ctx.sessionManager.getSessionFile();
	const goOn = async (there: ExtensionCommandContext): Promise<void> => {
		if (entryId !== undefined) await goTo(entryId, there, manner);
		if (text !== undefined) putIntoEditor(there.ui, text);
	};
	if (open !== undefined && isSameFile(open, path)) {
		if (entryId === undefined) ctx.ui.notify("This session is already open here.", "info");
		return goOn(ctx);
	}
	const reason = whyNotOpened(path);
	if (reason !== undefined) {
		ctx.ui.notify(`${clean(path)} cannot be opened: ${reason}.`, "error");
		return;
	}
	if (!(await mayStop(ctx, manner))) return;
	// pi itself stops and saves the running turn, and asks what to do if the session's directory is gone.
	await ctx.switchSession(path, { withSession: goOn });
}

async function fork(choice: ChoiceOf<"fork">, ctx: ExtensionCommandContext, manner: Manner): Promise<void> {
	const { path, entryId, position } = choice;
	if (!isOpenHere(path, ctx)) return;
	const reason = whyNotOpened(path);
	const entry = ctx.sessionManager.getEntry(entryId);
	const isPrompt = entry?.type === "message" && entry.message.role === "user";
	if (reason !== undefined) ctx.ui.notify(`The session cannot be forked: ${reason}.`, "error");
	else if (entry === undefined) ctx.ui.notify(`The session has no entry ${clean(entryId)}.`, "error");
	else if (position === "before" && !isPrompt) ctx.ui.notify("Only a prompt can be left out of a fork.", "error");
	else if (await mayStop(ctx, manner)) {
		const draft = ctx.ui.getEditorText();
		let forked: ExtensionUIContext | undefined;
		await ctx.fork(entryId, {
			position,
			withSession: async (there) => {
				forked = there.ui;
			},
		});
		// pi replaces what was typed by the prompt that was left out, or by nothing.
		if (forked === undefined || draft.trim() === "") return;
		forked.setEditorText([forked.getEditorText(), draft].filter((text) => text !== "").join("\n\n"));
		drawEditor(forked);
	}
}

/** Whether the session is still open here; another command may have replaced it while the browser was open. */
function isOpenHere(path: string, { sessionManager, ui }: ExtensionCommandContext): boolean {
	const open = sessionManager.getSessionFile();
	if (open !== undefined && isSameFile(open, path)) return true;
	ui.notify(`${clean(path)} is no longer open here.`, "error");
	return false;
}

/** Whether a running turn may be stopped; asks if the person may not have known of it. */
async function mayStop(ctx: ExtensionCommandContext, { wasToldBusy }: Manner): Promise<boolean> {
	if (ctx.isIdle() || wasToldBusy) return true;
	return ctx.ui.confirm("A turn has started meanwhile", "Stop it?");
}

/** Puts a text into the editor; if there is a draft, at the cursor. */
function putIntoEditor(ui: ExtensionUIContext, text: string): void {
	// Not pasted if possible: pi abbreviates long pastes, and this text is meant to be edited.
	if (ui.getEditorText().trim() === "") ui.setEditorText(clean(text));
	else ui.pasteToEditor(clean(text));
	drawEditor(ui);
}

function paste(ui: ExtensionUIContext, text: string): void {
	ui.pasteToEditor(clean(text));
	drawEditor(ui);
}

/** Makes pi redraw the editor: before 1.0 it does so only with something else, here a status that does not exist. */
function drawEditor(ui: ExtensionUIContext): void {
	ui.setStatus("pi-grove", undefined);
}

/** The choices of pi's own tree (1.5.2, `showTreeSelector`), which `ctx.navigateTree` does not offer. */
const SUMMARY = ["No summary", "Summarize", "Summarize with custom prompt"] as const;

interface Summary {
	readonly summarize: boolean;
	readonly customInstructions?: string;
}

/** Makes the open session go on from an entry, as pi's tree does, once a running turn has ended. */
async function goTo(
	entryId: string,
	ctx: ExtensionCommandContext,
	{ skipsSummary }: { readonly skipsSummary: boolean },
): Promise<void> {
	const { ui, sessionManager } = ctx;
	if (sessionManager.getEntry(entryId) === undefined) {
		ui.notify(`The session has no entry ${clean(entryId)}.`, "error");
		return;
	}
	if (!ctx.isIdle()) ui.notify("pi goes there when the running turn has ended.", "info");
	await ctx.waitForIdle();
	if (entryId === sessionManager.getLeafId()) {
		ui.notify("The session is already at this entry.", "info");
		return;
	}
	const summary = skipsSummary ? { summarize: false } : await askForSummary(ctx);
	if (summary === undefined) return;
	// Another turn may have begun while the person was asked.
	await ctx.waitForIdle();
	if (summary.summarize) ui.setStatus("pi-grove", "Summarizing the branch that is left…");
	try {
		const { cancelled } = await ctx.navigateTree(entryId, summary);
		if (cancelled) ui.notify("pi stays where it was.", "info");
	} finally {
		ui.setStatus("pi-grove", undefined);
	}
}

/** Undefined if the person cancels. */
async function askForSummary({ ui }: ExtensionCommandContext): Promise<Summary | undefined> {
	for (;;) {
		const chosen = await ui.select("Summarize branch?", [...SUMMARY]);
		if (chosen === undefined) return undefined;
		if (chosen !== SUMMARY[2]) return { summarize: chosen === SUMMARY[1] };
		const customInstructions = await ui.editor("Custom summarization instructions");
		if (customInstructions !== undefined) return { summarize: true, customInstructions };
	}
}

/** Bytes that are searched for the header, which is the first entry. */
const MAX_SEARCHED = 32 * 1024 * 1024;

const CHUNK = 64 * 1024;

/**
 * Why pi cannot open this session; undefined if it can. pi exits if it cannot (0.87.1 to 1.6.0, `handleFatalRuntimeError`),
 * even for a file that it may not write: it completes a torn last line and rewrites old versions.
 */
export function whyNotOpened(path: string): string | undefined {
	try {
		const stats = statSync(path);
		if (!stats.isFile()) return "it is not a regular file";
		if (stats.size === 0) return "it is empty";
		accessSync(path, constants.R_OK | constants.W_OK);
		return hasHeader(path) ? undefined : "it does not begin with the header of a session";
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return "it no longer exists";
		if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "pi may not read and write it";
		return error instanceof Error ? error.message : String(error);
	}
}

export function isSameFile(one: string, other: string): boolean {
	try {
		return realpathSync(one) === realpathSync(other);
	} catch {
		return one === other;
	}
}

/** Whether the first line that pi can parse is a header with an id, which pi requires. */
function hasHeader(path: string): boolean {
	const file = openRegular(path);
	try {
		// pi does not strip a byte order mark, so the line is not JSON.
		const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		const chunk = Buffer.alloc(CHUNK);
		let pending = "";
		for (let read = 0; read < MAX_SEARCHED; ) {
			const count = readSync(file, chunk, 0, CHUNK, null);
			read += count;
			pending += decoder.decode(chunk.subarray(0, count), { stream: count > 0 });
			const lines = pending.split("\n");
			if (count > 0) pending = lines.pop() ?? "";
			for (const line of lines) {
				const entry = parseLine(line);
				if (entry !== undefined) return entry.type === "session" && typeof entry.id === "string";
			}
			if (count === 0) return false;
		}
		return false;
	} finally {
		closeSync(file);
	}
}

/** The entry of a line; undefined for lines that pi skips: blank ones, and those that are not JSON. */
function parseLine(line: string): { readonly type?: unknown; readonly id?: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(line);
		if (!value) return undefined;
		return typeof value === "object" ? value : {};
	} catch {
		return undefined;
	}
}
