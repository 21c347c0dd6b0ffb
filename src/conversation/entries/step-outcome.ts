import { type Fields, fieldsOf, numberOf, textOf } from "../../store/format/fields.ts";
import { SHELLS, shellEnding } from "../../store/format/message.ts";
import { nestedEnd, type StepEnd } from "../../store/format/step-end.ts";
import { recordedCalls } from "../../store/format/tool-calls.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { parseDiff } from "../render/diff-lines.ts";
import { countLines } from "./change-spans.ts";
import { describeImages } from "./images.ts";
import { linesIn, type ToolOutput } from "./output.ts";
import type { RowPart } from "./row-text.ts";
import { withheldIn } from "./withheld.ts";

// The outcome of a step, in the few cells at the right end of its row.

interface StepOutput extends ToolOutput {
	/** Whether the row shows a summary of the output, so that it need not show the number of lines. */
	readonly isSummarized: boolean;
}

export function resultOutcome(
	name: string,
	message: Fields,
	args: Fields,
	end: StepEnd,
	output: StepOutput,
): RowPart[] {
	const nested = nestedOutcome(message);
	if (end === "failed") return [...nested, error(`✗${failureOf(name, output.ends)}`)];
	if (end !== "ok") return [...nested, endPart(end)];
	if (name === "edit") return editOutcome(textOf(fieldsOf(message.details).diff));
	if (name === "write") return [sizeOf(linesIn(textOf(args.content)), false)];
	const images = describeImages(message.content);
	const unseen = withheldIn(message).map(({ short }): RowPart => ({ text: short, tone: "warning" }));
	if (images !== "" || unseen.length > 0) return [...nested, ...(images === "" ? [] : [muted(images)]), ...unseen];
	return [...nested, ...countOutcome(name, fieldsOf(message.details), output)];
}

export function shellOutcome({ exitCode, truncated }: Fields, output: StepOutput, end: StepEnd): RowPart[] {
	const cut = truncated === true ? [muted("truncated")] : [];
	if (end === "failed") return [...cut, error(`✗ exit ${numberOf(exitCode)}`)];
	if (end !== "ok") return [...cut, endPart(end)];
	return [...cut, ...linesOutcome(output)];
}

/** How a step ended that neither succeeded nor failed. */
function endPart(end: StepEnd): RowPart {
	return { text: end, tone: end === "stopped" ? "warning" : "muted" };
}

/** "+9 −4", without what is zero: what this one edit did, by the diff that pi made of it. */
function editOutcome(diff: string): RowPart[] {
	const { added, removed } = countLines(parseDiff(diff));
	const parts: RowPart[] = [];
	if (added > 0) parts.push({ text: `+${formatCount(added)}`, tone: "added" });
	if (removed > 0) parts.push({ text: `−${formatCount(removed)}`, tone: "removed" });
	return parts;
}

/** The size of a file that was read or written; of a written one it is not known how many lines are new. */
function sizeOf(lines: number, more: boolean): RowPart {
	return muted(lines === 0 ? "empty" : counted(lines, more, "line", "lines"));
}

function failureOf(name: string, ends: string): string {
	const ending = SHELLS.has(name) ? shellEnding(ends) : undefined;
	if (ending === undefined) return "";
	if (ending.kind === "exit") return ` exit ${ending.code}`;
	return ending.kind === "timed out" ? ` timed out after ${ending.seconds}s` : ` ${ending.kind}`;
}

/** "3 calls 1✗": the calls that a tool made to other tools. */
function nestedOutcome(message: Fields): RowPart[] {
	const all = [...recordedCalls(message)];
	if (all.length === 0) return [];
	const failed = all.filter((call) => nestedEnd(call) === "failed").length;
	const parts = [muted(formatCounted(all.length, "call"))];
	if (failed > 0) parts.push(error(`${formatCount(failed)}✗`));
	return parts;
}

function countOutcome(name: string, details: Fields, output: StepOutput): RowPart[] {
	const { lines, more } = output;
	const matchCount = /^No (?:matches|files) found\b|^\(empty directory\)/.test(output.ends) ? 0 : lines;
	switch (name) {
		case "read":
			return lines === 0 ? [muted("empty")] : linesOutcome(output, 1);
		case "grep":
			return [muted(matchCount === 0 ? "no matches" : counted(matchesIn(output), more, "match", "matches"))];
		case "find":
			return [muted(matchCount === 0 ? "no files" : counted(matchCount, more || isLimited(details), "file", "files"))];
		case "ls":
			return [muted(matchCount === 0 ? "empty" : counted(matchCount, more || isLimited(details), "entry", "entries"))];
		default:
			return linesOutcome(output);
	}
}

function linesOutcome(output: StepOutput, minLines = 2): RowPart[] {
	const { ends, lines, more, isSummarized } = output;
	if (lines === 0 || ends.trim() === "(no output)") return [muted("no output")];
	return isSummarized || lines < minLines ? [] : [muted(counted(lines, more, "line", "lines"))];
}

function isLimited(details: Fields): boolean {
	return numberOf(details.resultLimitReached ?? details.entryLimitReached) !== undefined;
}

/** Number of lines of a search that are matches ("a.ts:3: text"), not context ("a.ts-2- text"). */
function matchesIn({ ends, lines }: ToolOutput): number {
	const lastLines = ends.split("\n").filter((line) => line.trim() !== "");
	const around = lastLines.filter((line) => !/^.{0,1000}?:\d+:/.test(line) || line === "--").length;
	return around === 0 || lastLines.length !== lines ? lines : Math.max(1, lines - around);
}

function counted(count: number, more: boolean, one: string, many: string): string {
	return `${formatCount(count)}${more ? "+" : ""} ${count === 1 && !more ? one : many}`;
}

function muted(text: string): RowPart {
	return { text, tone: "muted" };
}

function error(text: string): RowPart {
	return { text, tone: "error" };
}
