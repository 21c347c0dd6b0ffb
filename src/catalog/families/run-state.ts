import type { RunState } from "./run-report.ts";

const WORDS: Readonly<Record<string, RunState>> = {
	queued: "queued",
	pending: "queued",
	starting: "queued",
	running: "running",
	background: "running",
	// It goes on without the call that waited for it.
	detached: "running",
	complete: "done",
	completed: "done",
	done: "done",
	// tintinweb: asked to finish when its turns were nearly used up, and it did.
	steered: "done",
	error: "failed",
	failed: "failed",
	partial: "failed",
	// pi-subagents: it ended, but without what it had to deliver.
	rejected: "failed",
	stopped: "stopped",
	paused: "interrupted",
	interrupted: "interrupted",
	"timed out": "timed out",
};

/** The state that a word stands for; undefined if no package has it. */
export function stateOfWord(word: string | undefined): RunState | undefined {
	return word !== undefined && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

/** What is written about the end of a run of `pi-subagents`. */
interface RunOutcome {
	readonly state?: string;
	readonly progress?: { readonly status?: string };
	readonly progressSummary?: { readonly status?: string };
	readonly success?: boolean;
	readonly exitCode?: number | null;
	readonly stopReason?: string;
	readonly error?: string;
	readonly detached?: boolean;
	readonly stopped?: boolean;
	readonly timedOut?: boolean;
	readonly interrupted?: boolean;
	readonly turnBudgetExceeded?: boolean;
}

/** The state of the run: a flag says more than the exit code. */
export function runStateOf(outcome: RunOutcome): RunState {
	const { state, progress, progressSummary, success, exitCode, stopReason } = outcome;
	if (outcome.detached) return "running";
	if (outcome.stopped) return "stopped";
	if (outcome.timedOut) return "timed out";
	if (outcome.interrupted || stopReason === "aborted") return "interrupted";
	// A placeholder of a run that works has the exit code 0, in pi's example -1.
	const status = stateOfWord(progress?.status ?? progressSummary?.status);
	if (status === "running" || status === "queued") return status;
	if (exitCode === -1) return "running";
	const word = stateOfWord(state);
	if (word !== undefined) return word;
	const isGood = success ?? (exitCode === undefined || exitCode === null ? undefined : exitCode === 0);
	if (isGood === true && stopReason !== "error") return "done";
	if (outcome.turnBudgetExceeded) return "turn limit";
	if (isGood === false || stopReason === "error" || outcome.error !== undefined) return "failed";
	return "done";
}
