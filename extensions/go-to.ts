import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { clean } from "./text.ts";

/** The choices of pi's own tree (1.5.2, `showTreeSelector`), which `ctx.navigateTree` does not offer. */
const SUMMARY = ["No summary", "Summarize", "Summarize with custom prompt"] as const;

/** Whether and how to summarize the branch that is left. */
interface Summary {
	readonly summarize: boolean;
	readonly customInstructions?: string;
}

/** Makes the open session go on from an entry, as pi's tree does, once a running turn has ended. */
export async function goTo(
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
