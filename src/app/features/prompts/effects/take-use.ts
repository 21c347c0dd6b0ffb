import type { Use } from "../../../../catalog/uses/use.ts";
import { messageOf } from "../../../../changes/engine/reason.ts";
import { type CopyTools, copyText } from "../../../world/effects/copy-text.ts";
import type { Action } from "../../../world/state/action.ts";

/** Reads the text of a prompt or a command, and copies it, or hands it on for pi's editor. It is never run. */
export async function takeUse(
	{ use, to }: { readonly use: Use; readonly to: "clipboard" | "pi" },
	tools: CopyTools & { readonly wholeUse: (use: Use) => Promise<string> },
): Promise<Action> {
	let text: string;
	try {
		text = await tools.wholeUse(use);
	} catch (error) {
		const message = `Cannot read the ${use.kind}: ${messageOf(error)}`;
		return { type: "done", message: { text: message, tone: "error" } };
	}
	if (to === "pi") return { type: "use-text", text };
	return { type: "done", message: await copyText([text], `the ${use.kind}`, tools) };
}
