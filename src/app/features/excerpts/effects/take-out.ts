import type { Message } from "../../../../changes/engine/answer.ts";
import { excerptMarkdown, type ImageExcerpt } from "../../../../conversation/markdown/excerpt.ts";
import { explain } from "../../../../store/files/store-error.ts";
import { type CopyTools, copyText } from "../../../world/effects/copy-text.ts";
import type { Effect } from "../../../world/state/effect.ts";
import type { Question } from "../../../world/state/question.ts";
import { exportExcerpt } from "./export-excerpt.ts";
import { type OpenTools, openExcerpt } from "./open-excerpt.ts";
import { openImage, saveImage } from "./open-image.ts";

/** The effects by which text leaves the program. */
type OutsideEffect = Extract<
	Effect,
	{ type: "copy" | "copy-excerpt" | "open-excerpt" | "export-excerpt" | "save-image" }
>;

/** Gives a text to the clipboard, to a program or to a file; returns what there is to say. Rejects with what failed, and why. */
export async function takeOut(effect: OutsideEffect, tools: CopyTools & OpenTools): Promise<Message | undefined> {
	if (effect.type === "copy") return copyText([effect.text], effect.what, tools);
	if (effect.type === "save-image") return trying("save the image", saveImage(effect.image, tools));
	const { excerpt } = effect;
	switch (effect.type) {
		case "copy-excerpt":
			return copyText(excerptMarkdown(excerpt, tools.home), `the ${excerpt.of} as Markdown`, tools);
		case "open-excerpt":
			return trying(`open the ${excerpt.of}`, openExcerpt(excerpt, effect.in, tools));
		case "export-excerpt":
			return trying(`save the ${excerpt.of}`, exportExcerpt(excerpt, tools.cwd, tools.home));
	}
}

/** Shows an image outside; returns what there is to say, or to ask. Rejects with what failed, and why. */
export async function showImage(image: ImageExcerpt, tools: OpenTools): Promise<Message | Question> {
	return trying("open the image", openImage(image, tools));
}

async function trying<Result>(what: string, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw new Error(`Cannot ${what}: ${explain(error)}`, { cause: error });
	}
}
