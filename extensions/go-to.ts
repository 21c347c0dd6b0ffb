import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { clean } from "./text.ts";

/** What pi's own tree asks (pi 1.5.2, `showTreeSelector`); `ctx.navigateTree` does not. */
const SUMMARY = ["No summary", "Summarize", "Summarize with custom prompt"] as const;

/** What is to become of the branch that is left. */
interface Summary {
	readonly summarize: boolean;
	readonly customInstructions?: string;
}

/** Makes an entry of the open session the one that it goes on from, as pi's tree does, once a running turn has ended. */
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
		ui.notify("The session is at this entry already.", "info");
		return;
	}
	const summary = skipsSummary ? { summarize: false } : await askForSummary(ctx);
	if (summary === undefined) return;
	// While the person was asked another turn may have begun.
	await ctx.waitForIdle();
	if (summary.summarize) ui.setStatus("pi-grove", "Summarizing the branch that is left…");
	try {
		const { cancelled } = await ctx.navigateTree(entryId, summary);
		if (cancelled) ui.notify("pi stays where it was.", "info");
	} finally {
		ui.setStatus("pi-grove", undefined);
	}
}

/** Undefined where the person does not want to go there after all. */
async function askForSummary({ ui }: ExtensionCommandContext): Promise<Summary | undefined> {
	for (;;) {
		const chosen = await ui.select("Summarize branch?", [...SUMMARY]);
		if (chosen === undefined) return undefined;
		if (chosen !== SUMMARY[2]) return { summarize: chosen === SUMMARY[1] };
		const customInstructions = await ui.editor("Custom summarization instructions");
		if (customInstructions !== undefined) return { summarize: true, customInstructions };
	}
}
