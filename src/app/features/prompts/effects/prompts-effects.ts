import { messageOf } from "../../../../shared/attempt.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import type { PromptsEffect } from "../feature.ts";

/** No command is ever run. */
export const PROMPTS_EFFECTS: Runners<PromptsEffect["type"]> = expectErrors<"send-use">({
	async "send-use"({ use, to }, tools) {
		const { text } = await tools.store.readThread.run("readUse", use.path, use).catch((error: unknown) => {
			throw new Error(`Cannot read the ${use.kind}: ${messageOf(error)}`, { cause: error });
		});
		if (to === "pi") return { type: "use-text", text };
		if (to === "session") return { type: "use-text", text, startsAt: use.path };
		return { type: "done", message: await copyText([text], `the ${use.kind}`, tools) };
	},
});
