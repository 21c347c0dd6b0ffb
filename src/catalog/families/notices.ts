import type { ReportFacts } from "./run-report.ts";
import { stateOfWord } from "./run-state.ts";

/**
 * The messages in which `pi-subagents` reports that background runs have ended. They have no `details`. Their text consists of
 * lines of the package and of what the agents said, which may look like such lines.
 */

/** A message about one run: `Background task completed: **scout** (1/2)`. */
const ONE = /^(?:Background task|Detached foreground task) ([a-z]+): \*\*([^\n]{1,300}?)\*\*/;
/** A message about several, which all went well: `Background tasks completed (2): **scout**, **worker**`. */
const SEVERAL = /^Background tasks completed \(\d+\): ([^\n]*)/;
/** A message about a step of a workflow that goes on. */
const STEP = /^Workflow child ([a-z]+)[^\n:]*: \*\*([^\n]{1,300}?)\*\*\n/;

export function runsInNotice(content: string, atMs: number | undefined): ReportFacts[] {
	const [, word, agent] = ONE.exec(content) ?? [];
	if (word !== undefined && agent !== undefined) return endedRuns([{ agent, text: content }], word, atMs);
	const [header, names] = SEVERAL.exec(content) ?? [];
	if (header !== undefined && names !== undefined) {
		const agents = Array.from(names.matchAll(/\*\*([^*]{1,300})\*\*/g), ([, agent = ""]) => agent);
		return endedRuns(blocksOf(content, agents), "completed", atMs);
	}
	return stepRuns(content, atMs);
}

interface NoticeBlock {
	readonly agent: string;
	readonly text: string;
}

/** The parts of a message about several runs: each begins with its number and agent, in the order of the header. */
function blocksOf(content: string, agents: readonly string[]): NoticeBlock[] {
	const blocks: NoticeBlock[] = [];
	let start = startOf(content, 1, agents[0], 0);
	for (const [at, agent] of agents.entries()) {
		if (start < 0) break;
		const end = startOf(content, at + 2, agents[at + 1], start);
		blocks.push({ agent, text: content.slice(start, end < 0 ? undefined : end) });
		start = end;
	}
	return blocks;
}

/** Where the line of a run is: `2. scout`, `2. scout (1/2)` or `2. scout — scheduled run …`; -1 if there is none. */
function startOf(content: string, number: number, agent: string | undefined, from: number): number {
	if (agent === undefined) return -1;
	const line = `\n${number}. ${agent}`;
	for (let at = content.indexOf(line, from); at >= 0; at = content.indexOf(line, at + 1))
		if (/^(?:\n| \(| — |$)/.test(content.slice(at + line.length, at + line.length + 3))) return at;
	return -1;
}

function endedRuns(blocks: readonly NoticeBlock[], word: string, endedMs: number | undefined): ReportFacts[] {
	const state = stateOfWord(word) ?? "done";
	return blocks.flatMap(({ agent, text }, at): ReportFacts[] => {
		const workflowId = lastLine(text, "Workflow run: ");
		if (workflowId !== undefined) return childRuns(workflowId, lastLine(text, "Child runs: ") ?? "");
		const file = lastLine(text, "Session file: ");
		return [{ key: `notice:${at}`, agent, task: "", state, file, endedMs, isBackground: true, isUnnamed: true }];
	});
}

/** `Child runs: plan=<run id> (completed), patch=<run id> (failed)` */
function childRuns(workflowId: string, list: string): ReportFacts[] {
	return list.split(", ").flatMap((part): ReportFacts[] => {
		const [, step, runId, word] = /^([\w.-]{1,128})=(\S{1,100})(?: \(([a-z]+)\))?$/.exec(part) ?? [];
		const state = stateOfWord(word);
		if (step === undefined || runId === undefined || state === undefined) return [];
		const ids = runId === "unavailable" ? {} : { runId, index: 0 };
		return [{ key: `${workflowId}/${step}`, workflowId, ...ids, agent: "", task: "", state, isBackground: true }];
	});
}

function stepRuns(content: string, endedMs: number | undefined): ReportFacts[] {
	const [, word, step] = STEP.exec(content) ?? [];
	const [workflowId, runId] = [lastLine(content, "Workflow run: "), lastLine(content, "Child run: ")];
	const state = stateOfWord(word);
	if (step === undefined || workflowId === undefined || state === undefined) return [];
	const run = { workflowId, runId, index: 0, agent: "", task: "", state, error: lastLine(content, "Error: ") };
	return [{ ...run, key: `${workflowId}/${step}`, endedMs, isBackground: true }];
}

/** What follows on the last line that begins so: the package's own lines come after what an agent said. */
function lastLine(content: string, beginning: string): string | undefined {
	const at = content.lastIndexOf(`\n${beginning}`);
	if (at < 0) return undefined;
	const start = at + 1 + beginning.length;
	const end = content.indexOf("\n", start);
	return (
		content
			.slice(start, end < 0 ? undefined : end)
			.trim()
			.slice(0, 4096) || undefined
	);
}
