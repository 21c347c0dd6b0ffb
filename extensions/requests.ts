import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { OpenRequest } from "./link.ts";

/** Does to the open session what only pi may write; returns why it cannot be done. */
export function answerRequest(pi: ExtensionAPI, ctx: ExtensionContext, request: OpenRequest): string | undefined {
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
