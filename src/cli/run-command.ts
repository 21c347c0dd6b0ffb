import type { NamedCommand } from "./command-table.ts";
import type { Given } from "./given.ts";

/** Does what a command is for; returns the exit code. */
type Run = (given: Given) => Promise<number>;

/** Each command in a file of its own, loaded when it is asked for. */
const RUN: Readonly<Record<NamedCommand, () => Promise<Run>>> = {
	list: async () => (await import("./list.ts")).list,
	search: async () => (await import("./search.ts")).search,
	blame: async () => (await import("./blame.ts")).blame,
	files: async () => (await import("./files.ts")).files,
	show: async () => (await import("./show.ts")).show,
	path: async () => (await import("./path.ts")).path,
	prompts: async () => (await import("./uses.ts")).prompts,
	commands: async () => (await import("./uses.ts")).commands,
	export: async () => (await import("./export.ts")).exportSessions,
	stats: async () => (await import("./stats.ts")).stats,
	standup: async () => (await import("./standup.ts")).standup,
	pick: async () => (await import("./pick.ts")).pick,
	doctor: async () => (await import("./doctor.ts")).doctor,
	resume: async () => (await import("./resume.ts")).resume,
	rename: async () => (await import("./rename.ts")).rename,
	label: async () => (await import("./label.ts")).label,
	forward: async () => (await import("./forward.ts")).forward,
	branch: async () => (await import("./branch.ts")).branch,
	fork: async () => (await import("./fork.ts")).fork,
	delete: async () => (await import("./delete.ts")).deleteSessions,
	restore: async () => (await import("./restore.ts")).restore,
	undo: async () => (await import("./undo.ts")).undo,
	history: async () => (await import("./history.ts")).history,
	tidy: async () => (await import("./tidy.ts")).tidy,
	completions: async () => (await import("./completions.ts")).completions,
	help: async () => (await import("./help.ts")).help,
};

/** Does what a command of the command line is for; returns the exit code. */
export async function runCommand(command: NamedCommand, given: Given): Promise<number> {
	const run = await RUN[command]();
	return run(given);
}
