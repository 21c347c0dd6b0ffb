import type { SessionEntry } from "../../store/format/schema.ts";
import { joinEnds } from "../../ui/text/width.ts";
import { type RunLine, runEnds } from "../entries/run-line.ts";
import type { BlockContext } from "./context.ts";
import type { Block, Part } from "./piece.ts";

/** The runs of subagents that a step has started, a row each. */
export function* runBlocks({ id }: SessionEntry, { runs }: BlockContext): Generator<Block> {
	const lines = runs?.get(id);
	if (lines !== undefined) yield { parts: lines.map(runPart), gap: true };
}

function runPart(run: RunLine): Part {
	return {
		text: `${run.agent} ${run.task}`,
		draw: (width) => {
			const { left, right } = runEnds(run, width);
			return [{ line: joinEnds(left, right, width), run: run.key }];
		},
	};
}
