import { SHELLS, shellEnding } from "../../store/format/shell-ending.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { type Fields, fieldsOf, listOf, numberOf } from "./fields.ts";
import { describeImages } from "./images.ts";
import { lineChange } from "./line-change.ts";
import type { Output } from "./output.ts";
import type { RowPart } from "./row-part.ts";

// What came of a step, in the few cells at the right end of its row.

interface ToldOutput extends Output {
	/** Its telling words stand in the row: then the number of its lines does not. */
	readonly isTold: boolean;
}

/** What came of a tool's call. */
export function resultOutcome(name: string, message: Fields, args: Fields, output: ToldOutput): RowPart[] {
	const failed = message.isError === true;
	const nested = nestedOutcome(fieldsOf(message.nestedCalls).calls);
	if (failed) return [...nested, error(`✗${failureOf(name, output.ends)}`)];
	const change = lineChange(name, args, message.details);
	if (change !== undefined) return changeOutcome(change.added, change.removed);
	const images = describeImages(message.content);
	if (images !== "") return [...nested, muted(images)];
	return [...nested, ...countOutcome(name, fieldsOf(message.details), output)];
}

/** What came of a command of the person. */
export function shellOutcome(
	{ cancelled, exitCode, truncated }: Fields,
	output: ToldOutput,
	failed: boolean,
): RowPart[] {
	const cut = truncated === true ? [muted("truncated")] : [];
	if (cancelled === true) return [...cut, error("✗ cancelled")];
	if (failed) return [...cut, error(`✗ exit ${numberOf(exitCode)}`)];
	return [...cut, ...linesOutcome(output)];
}

/** How a change of a file looks at the right end of a row: "+9 −4", nothing of what is zero. */
function changeOutcome(added: number, removed: number): RowPart[] {
	const parts: RowPart[] = [];
	if (added > 0 || removed === 0) parts.push({ text: `+${formatCount(added)}`, tone: "added" });
	if (removed > 0) parts.push({ text: `−${formatCount(removed)}`, tone: "removed" });
	return parts;
}

function failureOf(name: string, ends: string): string {
	const ending = SHELLS.has(name) ? shellEnding(ends) : undefined;
	if (ending === undefined) return "";
	if (ending.kind === "exit") return ` exit ${ending.code}`;
	return ending.kind === "timed out" ? ` timed out after ${ending.seconds}s` : ` ${ending.kind}`;
}

/** "3 calls 1✗": the calls that a tool made to other tools. */
function nestedOutcome(calls: unknown): RowPart[] {
	const all = listOf(calls);
	if (all.length === 0) return [];
	const failed = all.filter((call) => fieldsOf(call).status === "error").length;
	const parts = [muted(formatCounted(all.length, "call"))];
	if (failed > 0) parts.push(error(`${formatCount(failed)}✗`));
	return parts;
}

function countOutcome(name: string, details: Fields, output: ToldOutput): RowPart[] {
	const { lines, more } = output;
	const found = /^No (?:matches|files) found\b|^\(empty directory\)/.test(output.ends) ? 0 : lines;
	switch (name) {
		case "read":
			return lines === 0 ? [muted("empty")] : linesOutcome(output, 1);
		case "grep":
			return [muted(found === 0 ? "no matches" : counted(matchesIn(output), more, "match", "matches"))];
		case "find":
			return [muted(found === 0 ? "no files" : counted(found, more || isLimited(details), "file", "files"))];
		case "ls":
			return [muted(found === 0 ? "empty" : counted(found, more || isLimited(details), "entry", "entries"))];
		default:
			return linesOutcome(output);
	}
}

function linesOutcome(output: ToldOutput, fewest = 2): RowPart[] {
	if (output.lines === 0 || output.ends.trim() === "(no output)") return [muted("no output")];
	return output.isTold || output.lines < fewest ? [] : [muted(counted(output.lines, output.more, "line", "lines"))];
}

function isLimited(details: Fields): boolean {
	return numberOf(details.resultLimitReached ?? details.entryLimitReached) !== undefined;
}

/** The lines of a search that are matches ("a.ts:3: text"), not what stands around them ("a.ts-2- text"). */
function matchesIn({ ends, lines }: Output): number {
	const shown = ends.split("\n").filter((line) => line.trim() !== "");
	const around = shown.filter((line) => !/^.{0,1000}?:\d+:/.test(line) || line === "--").length;
	return around === 0 || shown.length !== lines ? lines : Math.max(1, lines - around);
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
