import type { Message } from "../../../../changes/engine/answer.ts";
import { excerptMarkdown } from "../../../../conversation/markdown/excerpt.ts";
import { explain } from "../../../../store/files/store-error.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { expectErrors } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";
import type { ExcerptsEffect } from "../feature.ts";
import { openExcerpt } from "./open-excerpt.ts";
import { openImage, saveImage } from "./open-image.ts";
import { shareExcerpt, shareSessions } from "./share.ts";

/** Hands texts and images out: to the clipboard, to another program, into a file. */
export const EXCERPTS_EFFECTS = expectErrors<ExcerptsEffect["type"] | "copy", Pick<Capabilities, "disk" | "terminal">>({
	copy: async ({ text, what }, tools) => done(await copyText([text], what, tools)),
	async "copy-excerpt"({ excerpt }, tools) {
		const markdown = excerptMarkdown(excerpt, tools.disk.home);
		return done(await copyText(markdown, `the ${excerpt.of} as Markdown`, tools));
	},
	async "open-excerpt"(effect, tools) {
		const { excerpt } = effect;
		const message = await trying(`open the ${excerpt.of}`, openExcerpt(excerpt, effect.in, tools));
		return message && done(message);
	},
	"share-excerpt": async (effect, tools) => done(await shareExcerpt(effect, tools)),
	"share-sessions": async (effect, tools) => done(await shareSessions(effect, tools)),
	async "open-image"({ image }, { disk }) {
		const answer = await trying("open the image", openImage(image, disk));
		return "choices" in answer ? { type: "ask", question: answer } : done(answer);
	},
	"save-image": async ({ image }, { disk }) => done(await trying("save the image", saveImage(image, disk))),
});

function done(message: Message): Action {
	return { type: "done", message };
}

async function trying<Result>(what: string, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw new Error(`Cannot ${what}: ${explain(error)}`, { cause: error });
	}
}
