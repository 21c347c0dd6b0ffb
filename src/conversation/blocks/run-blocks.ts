import type { SessionEntry } from "../../store/format/schema.ts";
import { span } from "../../ui/text/line.ts";
import { cutLine, joinEnds } from "../../ui/text/width.ts";
import { areMany, type RunLine, runEnds, runSum } from "../entries/run-line.ts";
import { type BlockContext, foldKey, isOpen } from "./context.ts";
import type { Block, Part } from "./piece.ts";

/** The runs of subagents that a step has started, a row each; many are folded to one. */
export function* runBlocks(entry: SessionEntry, context: BlockContext): Generator<Block> {
	const runs = context.runs?.get(entry.id);
	if (runs === undefined) return;
	const parts = runs.map(runPart);
	if (areMany(runs)) {
		const key = foldKey(entry, "runs");
		const open = isOpen(context, key, context.options.toolsOpen);
		const sum: Part = {
			text: open ? "" : parts.map(({ text }) => text).join("\n"),
			fold: open ? undefined : key,
			draw: (width) => [{ line: cutLine([span(open ? "▾ " : "▸ ", "muted"), ...runSum(runs)], width), fold: key }],
		};
		yield { parts: open ? [sum, ...parts] : [sum], gap: true };
	} else yield { parts, gap: true };
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
