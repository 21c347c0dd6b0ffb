import type { NamedCommand } from "./arguments/command-table.ts";
import type { Given } from "./arguments/given.ts";

/** Runs a command; returns the exit code. */
type Run = (given: Given) => Promise<number>;

/** The commands, each loaded when it is run. */
const RUN: Readonly<Record<NamedCommand, () => Promise<Run>>> = {
	list: async () => (await import("./commands/list.ts")).list,
	search: async () => (await import("./commands/search.ts")).search,
	blame: async () => (await import("./commands/blame/blame.ts")).blame,
	files: async () => (await import("./commands/blame/files.ts")).files,
	show: async () => (await import("./commands/show/show.ts")).show,
	path: async () => (await import("./commands/path.ts")).path,
	prompts: async () => (await import("./commands/uses.ts")).prompts,
	commands: async () => (await import("./commands/uses.ts")).commands,
	export: async () => (await import("./commands/share/export.ts")).exportSessions,
	stats: async () => (await import("./commands/stats.ts")).stats,
	standup: async () => (await import("./commands/standup.ts")).standup,
	pick: async () => (await import("./commands/pick.ts")).pick,
	doctor: async () => (await import("./commands/doctor.ts")).doctor,
	resume: async () => (await import("./commands/resume.ts")).resume,
	rename: async () => (await import("./commands/change/single-changes.ts")).rename,
	label: async () => (await import("./commands/change/single-changes.ts")).label,
	forward: async () => (await import("./commands/change/single-changes.ts")).forward,
	branch: async () => (await import("./commands/change/single-changes.ts")).branch,
	fork: async () => (await import("./commands/change/single-changes.ts")).fork,
	delete: async () => (await import("./commands/change/delete.ts")).deleteSessions,
	restore: async () => (await import("./commands/change/restore.ts")).restore,
	undo: async () => (await import("./commands/change/undo.ts")).undo,
	history: async () => (await import("./commands/history.ts")).history,
	tidy: async () => (await import("./commands/tidy.ts")).tidy,
	completions: async () => (await import("./completion/stubs.ts")).completions,
	help: async () => (await import("./help/help.ts")).help,
};

/** Runs a command of the command line; returns the exit code. */
export async function runCommand(command: NamedCommand, given: Given): Promise<number> {
	const run = await RUN[command]();
	return run(given);
}
