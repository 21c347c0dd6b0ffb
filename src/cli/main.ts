import { homedir } from "node:os";
import packageFile from "../../package.json";
import { findSessionRoots, missingRoot } from "../catalog/model/session-roots.ts";
import { thisSystem } from "../shared/system.ts";
import { keepHeapSmall } from "../shared/v8-settings.ts";
import { type Arguments, readArguments } from "./arguments/arguments.ts";
import type { NamedCommand } from "./arguments/command-table.ts";
import { completeWords } from "./completion/complete.ts";
import { keepCompiledCode } from "./find/compiled-code.ts";
import { EXIT, endWithError, endWithPipe, failWith, Mistake, note, printText } from "./print/output.ts";

/** Commands that need no session directory: a shell that is starting should print no warning about a missing one. */
const WITHOUT_SESSIONS: ReadonlySet<NamedCommand> = new Set<NamedCommand>(["completions", "help", "places"]);

/** Runs a command; returns the exit code. One that stays open calls `keepCode` once nobody waits for it. */
type CommandRun = (args: Arguments, keepCode: () => void) => Promise<number>;

/** The commands, each loaded when it is run; completion, which must answer at once, comes with this file. */
const RUN: Readonly<Record<NamedCommand, () => Promise<CommandRun>>> = {
	list: async () => (await import("./commands/list.ts")).list,
	search: async () => (await import("./commands/search.ts")).search,
	blame: async () => (await import("./commands/blame/blame.ts")).blame,
	files: async () => (await import("./commands/blame/files.ts")).files,
	diff: async () => (await import("./commands/show/diff.ts")).diff,
	show: async () => (await import("./commands/show/show.ts")).show,
	review: async () => (await import("./commands/review.ts")).review,
	path: async () => (await import("./commands/path.ts")).path,
	prompts: async () => (await import("./commands/uses.ts")).prompts,
	commands: async () => (await import("./commands/uses.ts")).commands,
	export: async () => (await import("./commands/share/export.ts")).exportSessions,
	stats: async () => (await import("./commands/stats.ts")).stats,
	standup: async () => (await import("./commands/standup.ts")).standup,
	pick: async () => {
		keepHeapSmall();
		return (await import("./commands/pick.ts")).pick;
	},
	doctor: async () => (await import("./commands/doctor.ts")).doctor,
	resume: async () => (await import("./commands/resume.ts")).resume,
	rename: async () => (await import("./commands/change/single-changes.ts")).rename,
	label: async () => (await import("./commands/change/single-changes.ts")).label,
	forward: async () => (await import("./commands/change/single-changes.ts")).forward,
	branch: async () => (await import("./commands/change/single-changes.ts")).branch,
	fork: async () => (await import("./commands/change/single-changes.ts")).fork,
	move: async () => (await import("./commands/change/move.ts")).move,
	checkout: async () => (await import("./commands/checkout.ts")).checkout,
	revert: async () => (await import("./commands/put.ts")).revert,
	apply: async () => (await import("./commands/put.ts")).apply,
	bring: async () => (await import("./commands/change/bring.ts")).bring,
	delete: async () => (await import("./commands/change/delete.ts")).deleteSessions,
	restore: async () => (await import("./commands/change/take-back.ts")).restore,
	undo: async () => (await import("./commands/change/take-back.ts")).undo,
	history: async () => (await import("./commands/history.ts")).history,
	tidy: async () => (await import("./commands/tidy.ts")).tidy,
	places: async () => (await import("./commands/places.ts")).places,
	serve: async () => (await import("./commands/serve.ts")).serveStdio,
	completions: async () => (await import("./completion/stubs.ts")).completions,
	help: async () => (await import("./help/help.ts")).help,
};

/** Runs the program; returns the exit code. `args`: what follows the program's name. */
export async function main(args: readonly string[]): Promise<number> {
	const onError = (error: unknown): never => endWithError(`pi-grove ${args[0] ?? ""}`.trim(), error);
	try {
		return await runRequest(args, onError);
	} catch (error) {
		return onError(error);
	} finally {
		// A process may run several command lines.
		process.off("uncaughtException", onError);
	}
}

async function runRequest(args: readonly string[], onError: (error: unknown) => never): Promise<number> {
	leaveDeletedDirectory();
	// Windows would look for Git in the repository that it is asked about first, and run what is called so there.
	if (!thisSystem.isUnix) process.env.NoDefaultCurrentDirectoryInExePath = "1";
	const [first, ...others] = args;
	if (first === "__complete") {
		endWithPipe();
		const code = await completeWords(others);
		keepCompiledCode();
		return code;
	}
	const request = readArguments(args);
	if (request.kind !== "browse") {
		endWithPipe();
		// Rejections that nobody handles arrive here, too; the browser must restore the terminal first.
		process.on("uncaughtException", onError);
	}
	switch (request.kind) {
		case "help":
			return (await import("./help/help.ts")).help(request.args);
		case "version":
			await printText(`pi-grove ${packageFile.version}\n`);
			return 0;
		case "mistake":
			note(`${request.message} (see pi-grove ${request.command === undefined ? "" : `${request.command} `}--help)`);
			return EXIT.failed;
		case "command": {
			const code = await runCommand(request.command, request.args).catch(failWith);
			keepCompiledCode();
			return code;
		}
		case "browse": {
			keepHeapSmall();
			const { browse } = await import("./browser/browse.ts");
			return browse(request.args, keepCompiledCode);
		}
	}
}

async function runCommand(command: NamedCommand, args: Arguments): Promise<number> {
	// A mistyped session directory must not look like a machine without sessions. The browser reports it itself.
	const missing = WITHOUT_SESSIONS.has(command)
		? undefined
		: missingRoot(await findSessionRoots({ sessionDir: args.sessionDir }));
	if (missing !== undefined) throw new Mistake(missing);
	const run = await RUN[command]();
	return run(args, keepCompiledCode);
}

/** Where to go when the current directory was deleted; the root directory always exists. */
const FALLBACK_DIRECTORIES = [homedir, () => "/"];

/**
 * Leaves a current directory that was deleted, because no program can be started in it and relative paths have no meaning
 * there; says so on stderr.
 */
function leaveDeletedDirectory(): void {
	try {
		process.cwd();
	} catch {
		const directory = FALLBACK_DIRECTORIES.map((directoryOf) => directoryOf()).find(canEnter);
		note(`the current directory was deleted; continuing in ${directory ?? "none"}`);
	}
}

function canEnter(directory: string): boolean {
	try {
		process.chdir(directory);
		return true;
	} catch {
		// The home directory may be missing, too.
		return false;
	}
}
