import type { BlockContext } from "../blocks/context.ts";
import { entryBlocks } from "../blocks/entry-blocks.ts";
import { outlineOf } from "../entries/outline.ts";
import { ReaderDocument } from "./document.ts";

const NONE: ReadonlySet<string> = new Set();

/** The conversation of a path in rows of a width. `kept`: of how many entries the layout is kept; as `ReaderDocument`. */
export function documentFor(context: BlockContext, width: number, kept?: number): ReaderDocument {
	const unfolded = { ...context.options, toolsOpen: true, thinkingOpen: true, toggled: NONE };
	const whole = { ...context, options: unfolded };
	const source = {
		level: (entryId: string) => outlineOf(context.session).level(entryId),
		blocks: (index: number) => entryBlocks(index, context),
		wholeBlocks: (index: number) => entryBlocks(index, whole),
	};
	return new ReaderDocument(context.path, source, width, context.renderers, kept);
}
